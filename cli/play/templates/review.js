// The review goes on while this page is open; arrow keys and clicks show other moves without loading the page again.
"use strict";
let turn = 0; // the newest request for another move; older answers are dropped

function address(changes) {
  const query = new URLSearchParams(location.search);
  Object.entries(changes).forEach(([name, value]) => query.set(name, value));
  return `review?${query}`;
}
// Replaces what differs, part by part, and keeps the focus and the place in the list.
function show(text, parts) {
  const next = new DOMParser().parseFromString(text, "text/html");
  const focused = document.activeElement && document.activeElement.id;
  const list = document.querySelector("#all");
  const place = list ? list.scrollTop : 0;
  parts.forEach(name => {
    const old = document.getElementById(name), made = next.getElementById(name);
    if (old && made && old.outerHTML !== made.outerHTML) old.replaceWith(made);
  });
  const again = document.querySelector("#all");
  if (again) again.scrollTop = place;
  if (focused && document.getElementById(focused)) document.getElementById(focused).focus();
  document.querySelector("#review").dataset.more = next.querySelector("#review").dataset.more;
}
async function go(at) {
  const mine = ++turn, where = address({at});
  let answer = null;
  while (!answer || answer.status === 503) { // 503: the game is being prepared
    if (answer) await new Promise(done => setTimeout(done, 1000));
    try { answer = await fetch(where, {headers: {"x-part": "position"}}); } catch { await serverIsThere(); }
  }
  if (!answer.ok || mine !== turn) return;
  history.replaceState(null, "", where);
  show(await answer.text(), ["graph", "position", "words"]);
  const here = document.querySelector("#all .here");
  if (here) here.scrollIntoView({block: "nearest"});
}
async function judge() {
  while (document.querySelector("#review").dataset.more) {
    const mine = turn;
    try {
      const answer = await fetch(location.href, {headers: {"x-part": "review"}});
      if (answer.status === 503) { await new Promise(done => setTimeout(done, 1000)); continue; }
      if (!answer.ok) return;
      const text = await answer.text();
      show(text, mine === turn ? ["summary", "progress", "graph", "position", "words"] : ["summary", "progress"]);
    } catch { await serverIsThere(); }
  }
}
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || !document.querySelector("#review")) return;
  const button = document.querySelector({ArrowLeft: "#before", ArrowRight: "#after"}[event.key] || "#nothing");
  if (button && !button.disabled) { event.preventDefault(); go(button.value); }
});
document.addEventListener("submit", event => {
  if (!event.submitter || event.submitter.name !== "at") return;
  event.preventDefault();
  go(event.submitter.value);
});
document.addEventListener("click", event => {
  const graph = event.target.closest && event.target.closest("#graph");
  if (!graph) return;
  const box = graph.getBoundingClientRect(), moves = Number(graph.dataset.moves);
  const number = Math.round(1 + ((event.clientX - box.left) / box.width - .02) / .96 * moves);
  go(Math.min(moves, Math.max(1, number)));
});
judge();
