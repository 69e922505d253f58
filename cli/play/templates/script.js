// Moves without a new page, keys, hints that improve while you look, copying the link, loading a saved game.
"use strict";
{
const MOST_FILE = 400000; // bytes of a saved game
const MOVE = 300; // milliseconds that a move of another player is shown
const find = (what, where = document) => where.querySelector(what);
const all = (what, where = document) => Array.from(where.querySelectorAll(what));
const choices = () => all(".felt .on-card:not(.told), .hand .on-card:not(.told), .moves-to-make button").filter(one => one.offsetParent);
const places = one => (one.dataset.places || "").split(" ").filter(Boolean);
document.documentElement.classList.add("scripted");

function say(words) {
  find("#said").textContent = "";
  setTimeout(() => { find("#said").textContent = words; }, 50);
}

// What has the focus, so that it can have it again on the next page.
function focused() {
  const here = document.activeElement;
  for (const what of [".hand .on-card", ".on-card", ".moves-to-make button"]) {
    const place = all(what).indexOf(here);
    if (place >= 0) return () => { const now = all(what).filter(one => one.offsetParent); return now[Math.min(place, now.length - 1)]; };
  }
  return here && here.id ? () => document.getElementById(here.id) : () => null;
}

// The newest line of the log is in sight.
function settle() {
  const log = find(".log");
  if (log) log.scrollTop = log.scrollHeight;
}
settle();

// Shows the moves since the last page one after another; a click skips them.
async function replay(page) {
  const felt = find(".felt:not(.last)"), board = find(".board"), seen = board && Number(board.dataset.made);
  const frames = all("template.frame", page).filter(one => Number(one.dataset.number) > seen);
  if (!felt || !frames.length || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  let skipped = false;
  const skip = () => { skipped = true; };
  document.addEventListener("pointerdown", skip);
  for (const frame of frames) {
    if (skipped) break;
    felt.replaceChildren(document.importNode(frame.content, true));
    felt.inert = true;
    await new Promise(done => {
      const end = setTimeout(done, MOVE);
      document.addEventListener("pointerdown", () => { clearTimeout(end); done(); }, {once: true});
    });
  }
  document.removeEventListener("pointerdown", skip);
}

let busy = false;
async function show(address, send, keep, how) { // `keep`: how the browser remembers the page; `how`: "undo" or "back"
  if (busy) return;
  busy = true;
  document.body.setAttribute("aria-busy", "true");
  const again = focused(), had = document.activeElement !== document.body;
  let answer = null;
  while (!answer) try { answer = await fetch(address, send); } catch { await serverIsThere(); }
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!find("body.play main", page) || find("#join", page)) { location.assign(answer.url); return; } // it waits, or the seat is lost
  if (keep === "pushState") scrollTo({top: 0, behavior: "instant"}); // what the others do is in sight after a move
  if (!how && (send || keep === "")) await replay(page);
  for (const part of ["header", "main"]) find(part).replaceWith(find(part, page));
  document.title = page.title;
  settle();
  if (keep && answer.ok) history[keep](null, "", answer.url);
  const next = again() || (had ? choices()[0] || find("main a, main button") : null);
  if (next) next.focus({preventScroll: true});
  const news = find("#news"), question = find("#question");
  say([news, question].filter(Boolean).map(one => one.textContent).filter(Boolean).join(" "));
  document.body.removeAttribute("aria-busy");
  busy = false;
  guide();
  results();
  point(how);
}
addEventListener("popstate", () => show(location.href, undefined, "", "back"));

document.addEventListener("submit", event => {
  const form = event.target;
  if (form.id !== "table" && form.id !== "undo-form") return;
  event.preventDefault();
  const fields = new URLSearchParams(new FormData(form));
  if (event.submitter && event.submitter.name) fields.append(event.submitter.name, event.submitter.value);
  show(form.action, {method: "POST", body: fields}, automatic ? "replaceState" : "pushState", form.id === "undo-form" ? "undo" : "");
});

// Marks the move of a hint on its cards, and what the others cost.
function mark() {
  const advice = find("#hint .advice");
  all(".hinted").forEach(one => one.classList.remove("hinted"));
  all(".cost").forEach(one => one.remove());
  if (!advice) return;
  const costs = new Map(all("tr[data-place]", advice).map(row => [row.dataset.place, row.dataset.cost]));
  const size = text => text === "=" ? 0 : parseFloat(text.slice(1));
  for (const one of all(".on-card, .moves-to-make button")) {
    const meant = places(one);
    if (meant.includes(advice.dataset.best)) one.classList.add("hinted");
    else if (meant.some(place => costs.get(place))) {
      const badge = document.createElement("span");
      badge.className = "cost";
      badge.setAttribute("aria-hidden", "true"); // the table of costs says it
      badge.textContent = meant.map(place => costs.get(place)).filter(Boolean).sort((a, b) => size(a) - size(b))[0];
      one.append(badge);
    }
  }
}

async function think(address, place) {
  place.setAttribute("aria-busy", "true");
  while (address && place.isConnected) {
    let answer;
    try { answer = await fetch(address, {headers: {"x-part": "hint"}}); } catch { await serverIsThere(); continue; }
    const text = await answer.text();
    if (!place.isConnected) break;
    if (answer.status === 503) { // the game is being prepared
      place.innerHTML = '<p class="thinking"></p>';
      place.firstChild.textContent = text || textOf("thinking");
      await new Promise(done => setTimeout(done, 1000));
      continue;
    }
    const part = document.createElement("div");
    part.innerHTML = text;
    const advice = answer.ok && find(".advice", part);
    if (!advice) { place.textContent = ""; break; }
    const longer = find(".longer", part);
    if (longer) longer.remove();
    place.replaceChildren(...part.childNodes);
    address = advice.dataset.longer;
    mark();
    for (const part of [place, find(".dock .mine")]) part.scrollIntoView({block: "nearest", behavior: "instant"}); // the hand last
  }
  place.removeAttribute("aria-busy");
}

function hint(link) {
  const place = find("#hint"), known = find(".advice", place);
  if (place.getAttribute("aria-busy")) return;
  if (known) { think(known.dataset.longer, place); return; } // never a rougher answer than the one that is there
  place.innerHTML = '<p class="thinking"></p>';
  place.firstChild.textContent = textOf("thinking");
  think(link.getAttribute("href"), place);
}
// The guide explains the decision, and the hint says what to play.
function guide() { if (find("#guide") && find("#ask") && !find("#hint").firstElementChild) hint(find("#ask")); }
guide();
mark();

// All pointing of a game left to the rules of thumb: remembered in this window for the deal. Undo goes back past it, to
// the last decision of the player; where there is none, the player points again. The browser remembers no page on which
// the computer pointed, so its Back button leads to a decision of the player.
const POINTING = "houle-pointing";
const deal = () => new URLSearchParams(location.search).get("deal") || location.pathname;
let automatic = false;
function point(how) {
  if (how && find("#leave-all") && sessionStorage.getItem(POINTING) === deal()) {
    if (how === "undo" && find("#undo-form")) {
      automatic = true;
      find("#undo-form").requestSubmit();
      automatic = false;
      return;
    }
    sessionStorage.removeItem(POINTING);
  }
  const left = sessionStorage.getItem(POINTING) === deal(), every = find("#leave-all"), on = find("#left-all");
  if (on) on.hidden = !left;
  automatic = true;
  if (left && every) every.click();
  automatic = false;
}
point();
document.addEventListener("click", event => {
  if (event.target.id === "leave-all") sessionStorage.setItem(POINTING, deal());
  if (event.target.id === "point-myself") { sessionStorage.removeItem(POINTING); point(); }
}, true);

// Results of finished games, kept only in this browser and only if the player wants it. A deal counts once.
const KEPT = "houle-results";
function results(keep) {
  const here = find("#results");
  if (!here) return;
  const read = () => JSON.parse(localStorage.getItem(KEPT) || "null");
  let kept;
  try { kept = read() || (keep ? {} : null); } catch { return; } // the browser keeps nothing
  here.hidden = false;
  find("ul", here).hidden = !kept;
  find("#keep").hidden = !!kept;
  if (!kept) return;
  const games = kept[here.dataset.game] = kept[here.dataset.game] || [];
  if (!games.some(one => one.deal === here.dataset.deal)) games.push({deal: here.dataset.deal, won: !!here.dataset.won, score: +here.dataset.score});
  localStorage.setItem(KEPT, JSON.stringify(kept));
  const won = games.map(one => one.won), count = {games: won.length, won: won.filter(Boolean).length, row: won.length - 1 - won.lastIndexOf(false),
    best: Math[here.dataset.best](...games.map(one => one.score))};
  here.querySelectorAll("[data-count]").forEach(one => { one.textContent = count[one.dataset.count]; });
}
results();
document.addEventListener("click", event => {
  if (event.target.id === "keep") results(true);
  if (event.target.id === "forget") { localStorage.removeItem(KEPT); results(); }
});

async function copy(link) {
  try {
    await navigator.clipboard.writeText(link.dataset.copy || link.href);
    link.textContent = link.dataset.copied;
    say(link.dataset.copied);
  } catch {
    const field = document.createElement("input");
    field.readOnly = true;
    field.value = link.dataset.copy || link.href;
    field.setAttribute("aria-label", link.textContent);
    link.replaceWith(field);
    field.select();
  }
}

// A card with several moves is picked first: a second card, such as the road it goes on, tells which one is meant, or
// the list of its moves does.
function pick(card) {
  const before = find(".on-card.picked"), kept = before && before !== card ? places(before) : null;
  const shared = kept && places(card).filter(place => kept.includes(place));
  if (shared && shared.length === 1) {
    const move = find(`.moves-to-make button[value="${shared[0]}"]`);
    if (move) { move.form.requestSubmit(move); return true; }
  }
  const off = before === card, meant = off ? [] : places(card);
  all(".picked").forEach(one => one.classList.remove("picked"));
  if (!off && !card.matches(".told")) card.classList.add("picked");
  for (const one of all(".on-card, .moves-to-make button")) {
    one.classList.toggle("meant", one !== card && places(one).some(place => meant.includes(place)));
  }
  return false;
}

document.addEventListener("click", event => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const link = event.target.closest("a"), card = event.target.closest(".on-card"), text = find("#card-text");
  if (card && card.type === "submit") {
    const before = find(".on-card.picked");
    if (before && places(card).every(place => !places(before).includes(place))) all(".picked").forEach(one => one.classList.remove("picked"));
  } else if (card) {
    // It tells what it does.
    if (text) text.textContent = card.dataset.say || "";
    pick(card);
  } else if (link && link.id === "ask") {
    event.preventDefault();
    hint(link);
  } else if (link && link.id === "experts") {
    event.preventDefault();
    experts(link.href);
  } else if (link && link.matches("#link, #copy-deal")) {
    event.preventDefault();
    copy(link);
  } else if (link && find("#news, .all-moves, .cover") && /^(table|moves)\?/.test(link.getAttribute("href"))) {
    event.preventDefault();
    show(link.href, undefined, "pushState");
  }
});

// How experts do with this deal; where the game is being prepared, it is asked for again.
async function experts(address) {
  const place = find("#experts-say");
  place.textContent = textOf("thinking");
  while (place.isConnected) {
    let answer;
    try { answer = await fetch(address, {headers: {"x-part": "experts"}}); } catch { await serverIsThere(); continue; }
    const text = await answer.text();
    if (answer.status !== 503) { place.innerHTML = answer.ok ? text : ""; return; }
    place.textContent = text || textOf("thinking");
    await new Promise(done => setTimeout(done, 1000));
  }
}

document.addEventListener("focusin", event => {
  const text = find("#card-text"), card = event.target.closest(".on-card");
  if (text && card && card.dataset.say && event.target.matches(":focus-visible")) text.textContent = card.dataset.say;
});

const STEPS = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1};
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || /INPUT|TEXTAREA|SELECT/.test(document.activeElement.tagName)) return;
  const step = STEPS[event.key], moves = choices();
  if (step && moves.length && !document.activeElement.closest(".log")) {
    event.preventDefault();
    moves[(moves.indexOf(document.activeElement) + step + moves.length + (moves.includes(document.activeElement) ? 0 : step < 0)) % moves.length].focus();
    return;
  }
  if (event.key === "?" && find("#keys")) {
    find("#keys").open = !find("#keys").open;
    find("#keys summary").focus();
    return;
  }
  const keys = {u: "#undo", h: "#ask", m: "#moves, #back", l: "#link", n: "#new"};
  const meant = find(keys[event.key] || `[data-key="${CSS.escape(event.key)}"]`);
  if (meant) { event.preventDefault(); meant.click(); }
});

// A game on several screens: asks every second whether something has changed.
async function follow() {
  for (let here = find("#lan"); here; here = find("#lan")) {
    await new Promise(done => setTimeout(done, 1000));
    try {
      const answer = await fetch("state", {cache: "no-store"});
      const now = answer.ok ? await answer.text() : here.dataset.version;
      if (!busy && find("#lan") === here && now !== here.dataset.version) await show(location.href, undefined, "");
    } catch { await serverIsThere(); }
  }
}
follow();

const file = find("#file");
if (file) {
  file.hidden = false;
  file.addEventListener("change", async () => {
    const chosen = file.files[0], said = find("#file-said");
    said.textContent = chosen && chosen.size > MOST_FILE ? said.dataset.large : "";
    if (chosen && chosen.size <= MOST_FILE) find("#record").value = await chosen.text();
  });
}
}
