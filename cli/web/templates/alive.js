// Says when the server does not answer, and goes on by itself when it does.
"use strict";
(() => {
  const wait = seconds => new Promise(done => setTimeout(done, 1000 * seconds));
  const gone = document.createElement("p");
  gone.className = "notice";
  gone.setAttribute("role", "alert");
  // A text that scripts show: a page that is translated holds it.
  window.textOf = (name, english) => (document.querySelector(`[data-text="${name}"]`) || {textContent: english}).textContent;
  gone.textContent = window.textOf("gone", "The server does not answer. Start it again; this page asks every second and goes on by itself.");
  async function answers() {
    try { await fetch("web.css", {cache: "no-store"}); return true; } catch { return false; }
  }
  // Resolves when the server answers; says so while it does not.
  window.serverIsThere = async () => {
    while (!await answers()) {
      if (!gone.isConnected) document.body.prepend(gone);
      await wait(1);
    }
    gone.remove();
  };
  // At the window, so that the scripts of the page come first.
  window.addEventListener("submit", async event => {
    if (event.defaultPrevented || event.target.target) return;
    event.preventDefault();
    const {target: form, submitter} = event;
    await window.serverIsThere();
    // The button that was pressed is sent too.
    const pressed = document.createElement("input");
    if (submitter && submitter.name) {
      Object.assign(pressed, {type: "hidden", name: submitter.name, value: submitter.value});
      form.append(pressed);
    }
    form.submit();
  });
  window.addEventListener("click", async event => {
    const link = event.target.closest && event.target.closest("a[href]");
    if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || link.target || link.download) return;
    if (link.getAttribute("href").startsWith("#")) return;
    event.preventDefault();
    await window.serverIsThere();
    location.assign(link.href);
  });
  // While its game is compiled a page says how long that takes.
  const compiling = document.createElement("p");
  Object.assign(compiling, {className: "notice", id: "compiling"});
  compiling.setAttribute("role", "status");
  (async () => {
    for (let words = "?"; words; await wait(1)) {
      try { words = await (await fetch("compiling", {cache: "no-store"})).text(); } catch { continue; } // the server is gone, which is said above
      compiling.textContent = words;
      if (words && !compiling.isConnected) document.body.prepend(compiling);
    }
    compiling.remove();
  })();
})();
