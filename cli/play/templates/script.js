// What a page cannot do alone: keys for moves, hints that grow while one looks, a record chosen as a file.
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
    const answer = await fetch(address, {headers: {"x-part": "hint"}});
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
// A card that means several moves shows which: they are marked, and the first has the focus.
document.querySelectorAll(".some").forEach(card => card.addEventListener("click", () => {
  const meant = new Set(card.dataset.places.split(" "));
  const all = Array.from(document.querySelectorAll(".choices button"));
  all.forEach(one => one.classList.toggle("meant", meant.has(one.value)));
  const first = all.find(one => meant.has(one.value));
  if (first) first.focus();
}));
// A move is made once, however often it is clicked.
const table = document.querySelector("#table");
if (table) table.addEventListener("submit", event => {
  if (table.dataset.sent) event.preventDefault();
  table.dataset.sent = "yes";
});
