// Cards are clicked into places; the text of the position follows, and can be typed as well.
"use strict";
const form = document.querySelector("#set-up"), text = document.querySelector("#text");
const inputs = Array.from(form.querySelectorAll("[data-place]"));
const palettes = form.querySelector(".palettes");
let chosen = null; // the place that cards go to

const cards = input => input.value.split(",").map(word => word.trim()).filter(Boolean);

// The text: the game, then every place that is filled in. Lines that have no field are kept.
function write() {
  const known = new Set(inputs.map(input => input.dataset.place));
  const head = new Set(text.dataset.head.split("\n").map(line => line.split(":")[0]));
  const others = text.value.split("\n").filter(line => {
    const place = line.split(":")[0].trim().toLowerCase();
    return line.trim() && !known.has(place) && !head.has(place) && place !== "rules";
  });
  const filled = inputs.filter(input => input.value.trim()).map(input => `${input.dataset.place}: ${input.value.trim()}`);
  text.value = `${text.dataset.head.trim()}\n${[...filled, ...others].join("\n")}\n`;
}
// The fields follow a text that was typed.
function read() {
  const lines = new Map(text.value.split(/[\n;]/).map(line => line.split("#")[0]).filter(line => line.includes(":"))
    .map(line => [line.split(":")[0].trim().toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]));
  inputs.forEach(input => { input.value = lines.get(input.dataset.place) || ""; });
  draw();
}
function draw() {
  const used = new Set(inputs.flatMap(input => input.dataset.palette ? cards(input) : []));
  inputs.filter(input => input.dataset.palette).forEach(input => {
    const held = input.parentElement.querySelector(".held");
    held.replaceChildren(...cards(input).map((card, place) => {
      const one = document.createElement("button"), drawn = drawing(input, card);
      one.type = "button";
      one.tabIndex = -1;
      if (drawn) one.append(drawn); else one.textContent = card;
      one.addEventListener("click", () => {
        input.value = cards(input).filter((_, other) => other !== place).join(", ");
        changed();
      });
      return one;
    }));
  });
  form.querySelectorAll(".palette [data-card]").forEach(one => one.classList.toggle("used", used.has(one.dataset.card) && one.dataset.card !== "?"));
}
function drawing(input, card) {
  const found = form.querySelector(`.palette[data-number="${input.dataset.palette}"] [data-card="${CSS.escape(card)}"] svg`);
  return found ? found.cloneNode(true) : null;
}
function changed() { write(); draw(); }
function choose(input) {
  if (!input.dataset.palette) return;
  chosen = input;
  form.querySelectorAll(".place").forEach(place => place.classList.toggle("chosen", place.contains(input)));
  form.querySelectorAll(".palette").forEach(one => { one.hidden = one.dataset.number !== input.dataset.palette; });
  document.querySelector("#where").textContent = input.labels[0].textContent;
  palettes.hidden = false;
  if (matchMedia("(max-width: 48rem)").matches) input.parentElement.after(palettes);
}
inputs.forEach(input => {
  input.addEventListener("focus", () => choose(input));
  input.addEventListener("input", changed);
});
form.querySelectorAll(".palette [data-card]").forEach(one => one.addEventListener("click", () => {
  if (!chosen) return;
  chosen.value = [...cards(chosen), one.dataset.card].join(", ");
  changed();
}));
text.addEventListener("change", read);
const copy = document.querySelector("#copy");
copy.hidden = !navigator.clipboard;
copy.addEventListener("click", async () => {
  await navigator.clipboard.writeText(text.value);
  copy.textContent = textOf("copied");
});
// Advice in steps: a quick answer first, then better ones.
let asking = 0;
document.querySelector("#advice").addEventListener("click", async event => {
  event.preventDefault();
  const mine = ++asking, place = document.querySelector("#answer");
  place.textContent = textOf("thinking");
  for (const worlds of form.dataset.steps.split(" ")) {
    const body = new URLSearchParams({text: text.value, do: "advice", worlds});
    let answer = null;
    while (!answer) try {
      answer = await fetch("position", {method: "POST", body, headers: {"x-part": "advice"}});
      if (mine !== asking) return;
      if (answer.status === 503) { // the game is being prepared
        place.textContent = await answer.text();
        answer = null;
        await new Promise(done => setTimeout(done, 1000));
      }
    } catch { await serverIsThere(); }
    if (mine !== asking) return;
    place.innerHTML = await answer.text();
    if (place.querySelector("[role=alert]")) return;
  }
});
draw();
const first = inputs.find(input => input.dataset.palette);
if (first) choose(first);
