// Keys for moves, hints that improve while you look, and loading a saved game from a file.
"use strict";
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || /INPUT|TEXTAREA|SELECT/.test(document.activeElement.tagName)) return;
  const keys = {u: "#undo", h: "#ask"};
  const meant = document.querySelector(keys[event.key] || `[data-key="${CSS.escape(event.key)}"]`);
  if (meant) { event.preventDefault(); meant.click(); }
});

async function think(address, place) {
  place.setAttribute("aria-busy", "true");
  while (address) {
    let answer;
    try { answer = await fetch(address, {headers: {"x-part": "hint"}}); } catch { await serverIsThere(); continue; }
    if (answer.status === 503) {  // the game is being prepared
      place.innerHTML = '<p class="thinking"></p>';
      place.firstChild.textContent = await answer.text();
      await new Promise(done => setTimeout(done, 1000));
      continue;
    }
    if (!answer.ok) break;
    place.innerHTML = await answer.text();
    const longer = place.querySelector(".longer");
    if (longer) longer.remove();
    address = place.querySelector(".advice").dataset.longer;
  }
  place.removeAttribute("aria-busy");
}
const ask = document.querySelector("#ask");
if (ask) ask.addEventListener("click", event => {
  event.preventDefault();
  const place = document.querySelector("#hint");
  if (place.getAttribute("aria-busy")) return;
  place.innerHTML = '<p class="thinking">thinking…</p>';
  think(ask.getAttribute("href"), place);
});

const file = document.querySelector("#file");
if (file) {
  file.hidden = false;
  file.addEventListener("change", async () => { document.querySelector("#record").value = await file.files[0].text(); });
}
// A card that means several moves marks them and focuses the first.
document.querySelectorAll(".some").forEach(card => card.addEventListener("click", () => {
  const meant = new Set(card.dataset.places.split(" "));
  const all = Array.from(document.querySelectorAll(".choices button"));
  all.forEach(one => one.classList.toggle("meant", meant.has(one.value)));
  const first = all.find(one => meant.has(one.value));
  if (first) first.focus();
}));
// A move is made only once, however often it is clicked.
const table = document.querySelector("#table");
if (table) table.addEventListener("submit", event => {
  if (table.dataset.sent) event.preventDefault();
  table.dataset.sent = "yes";
});
