// Moves without a new page, keys, hints that improve while you look, copying the link, loading a saved game.
"use strict";
{
const MOST_FILE = 400000; // bytes of a saved game
const find = (what, where = document) => where.querySelector(what);
const choices = () => Array.from(document.querySelectorAll(".moves-to-make button")).filter(one => one.offsetParent);

function say(words) {
  find("#said").textContent = "";
  setTimeout(() => { find("#said").textContent = words; }, 50);
}

// What has the focus, so that it can have it again on the next page.
function focused() {
  const here = document.activeElement;
  for (const what of [".moves-to-make button", ".hand .on-card", ".on-card"]) {
    const place = Array.from(document.querySelectorAll(what)).indexOf(here);
    if (place >= 0) return () => { const all = document.querySelectorAll(what); return all[Math.min(place, all.length - 1)]; };
  }
  return here && here.id ? () => document.getElementById(here.id) : () => null;
}

// A hand that would take much of the screen scrolls with the page instead of covering it.
const MOST_COVERED = 0.45;
function fit() {
  const dock = find(".dock");
  if (!dock) return;
  dock.classList.remove("loose");
  dock.classList.toggle("loose", dock.offsetHeight > MOST_COVERED * innerHeight);
}
fit();
addEventListener("resize", fit);

let busy = false;
async function show(address, send, keep, how) { // `keep`: how the browser remembers the page; `how`: "undo" or "back"
  if (busy) return;
  busy = true;
  document.body.setAttribute("aria-busy", "true");
  const again = focused(), had = document.activeElement !== document.body;
  let answer = null;
  while (!answer) try { answer = await fetch(address, send); } catch { await serverIsThere(); }
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!find("body.play main", page)) { location.assign(answer.url); return; } // a page that waits
  for (const part of ["header", "main"]) find(part).replaceWith(find(part, page));
  document.title = page.title;
  fit();
  if (keep && answer.ok) history[keep](null, "", answer.url);
  const next = again() || (had ? choices()[0] || find(".hand .on-card, main a, main button") : null);
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

async function think(address, place) {
  place.setAttribute("aria-busy", "true");
  while (address && place.isConnected) {
    let answer;
    try { answer = await fetch(address, {headers: {"x-part": "hint"}}); } catch { await serverIsThere(); continue; }
    if (answer.status === 503) { // the game is being prepared
      place.innerHTML = '<p class="thinking"></p>';
      place.firstChild.textContent = await answer.text();
      await new Promise(done => setTimeout(done, 1000));
      continue;
    }
    if (!answer.ok || !place.isConnected) break;
    place.innerHTML = await answer.text();
    const longer = find(".longer", place);
    if (longer) longer.remove();
    address = find(".advice", place).dataset.longer;
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
  const left = sessionStorage.getItem(POINTING) === deal(), all = find("#leave-all"), on = find("#left-all");
  if (on) on.hidden = !left;
  automatic = true;
  if (left && all) all.click();
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
    link.textContent = link.dataset.done;
    say(link.dataset.done);
  } catch {
    const field = document.createElement("input");
    field.readOnly = true;
    field.value = link.dataset.copy || link.href;
    field.setAttribute("aria-label", link.textContent);
    link.replaceWith(field);
    field.select();
  }
}

document.addEventListener("click", event => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const link = event.target.closest("a"), card = event.target.closest(".some, .told");
  if (card) {
    // A card tells what it does, and marks its moves if it means several.
    const text = find("#card-text"), meant = new Set((card.dataset.places || "").split(" "));
    if (text) text.textContent = card.dataset.say || "";
    choices().forEach(one => one.classList.toggle("meant", meant.has(one.value)));
    const first = choices().find(one => meant.has(one.value));
    if (first) first.focus();
  } else if (link && link.id === "ask") {
    event.preventDefault();
    hint(link);
  } else if (link && link.id === "experts") {
    event.preventDefault();
    find("#experts-say").textContent = textOf("thinking");
    fetch(link.href).then(answer => answer.text()).then(text => { find("#experts-say").innerHTML = text; }).catch(() => serverIsThere());
  } else if (link && link.matches("#link, #share")) {
    event.preventDefault();
    copy(link);
  } else if (link && find("#news, .all-moves, .cover") && /^(table|moves)\?/.test(link.getAttribute("href"))) {
    event.preventDefault();
    show(link.href, undefined, "pushState");
  }
});
document.addEventListener("focusin", event => {
  const text = find("#card-text"), card = event.target.closest(".on-card");
  if (text && card && card.dataset.say && event.target.matches(":focus-visible")) text.textContent = card.dataset.say;
});

const STEPS = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1};
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || /INPUT|TEXTAREA|SELECT/.test(document.activeElement.tagName)) return;
  const step = STEPS[event.key], all = choices();
  if (step && all.length && !document.activeElement.closest(".log")) {
    event.preventDefault();
    all[(all.indexOf(document.activeElement) + step + all.length + (all.includes(document.activeElement) ? 0 : step < 0)) % all.length].focus();
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
