"use strict";
// Shows the records of the page: a list that draws only the rows in sight, filters, and one record as a conversation.
// Records are texts of strangers: nodes are built from them, never markup.
(() => {
  const ROW = 58, DRAWN_BEYOND = 8, OPEN_CHUNKS = 4;
  const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|\udb40[\udc00-\udc7f]/g;
  const LEVELS = new Set(["literal", "normalised", "overlap", "schema", "construction", "asserted"]);
  const by = (id) => document.getElementById(id);
  const number = (value) => value.toLocaleString("en-US");

  // ---- Nodes ----
  function make(name, className, ...children) {
    const node = document.createElement(name);
    if (className) node.className = className;
    for (const child of children) node.append(child);
    return node;
  }

  const codeOf = (found) => `⟨U+${found.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
  const visible = (text) => text.replace(HIDDEN, codeOf);

  // The text as nodes, what a page would hide or turn around shown by its number.
  function shown(text) {
    const parts = document.createDocumentFragment();
    let from = 0;
    for (const found of text.matchAll(HIDDEN)) {
      parts.append(text.slice(from, found.index), make("span", "control", codeOf(found[0])));
      from = found.index + found[0].length;
    }
    parts.append(text.slice(from));
    return parts;
  }

  // ---- What the page holds ----
  const book = JSON.parse(by("book").textContent);
  const chunkNodes = [...document.querySelectorAll("script.chunk")];
  const listedNodes = [...document.querySelectorAll("script.listed")];

  async function unpack(node) {
    const coded = node.textContent;
    const bytes = Uint8Array.fromBase64 ? Uint8Array.fromBase64(coded) : Uint8Array.from(atob(coded), (sign) => sign.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).text();
  }

  const opened = new Map();  // the chunks read last, as lines
  async function linesOf(chunk) {
    if (opened.has(chunk)) return opened.get(chunk);
    const lines = (await unpack(chunkNodes[chunk])).split("\n");
    if (opened.size >= OPEN_CHUNKS) opened.delete(opened.keys().next().value);
    opened.set(chunk, lines);
    return lines;
  }

  const listed = [];   // [index, kind, split, tools, request] by record
  const places = [];   // [chunk, line] by record
  let requests = [];   // the requests in small letters, made when they are first searched

  async function readList() {
    for (let chunk = 0; chunk < listedNodes.length; chunk += 1) {
      const part = JSON.parse(await unpack(listedNodes[chunk]));
      part.forEach((entry, at) => { listed.push(entry); places.push([chunk, at + 1]); });
      if (chunk === 0) ready();
      else if (chunk % 20 === 0) filter();
    }
    filter();
  }

  // ---- Filters ----
  let found = [];      // the records that are shown, by their places in the list
  let current = -1;    // the place in `found` of the record that is chosen
  let search = 0;      // the number of the search under way; an older one stops
  const wanted = { kind: -1, split: -1, tools: null, text: "" };

  function readFilters() {
    const tool = by("f-tool").value.trim().toLowerCase();
    wanted.kind = by("f-kind").value === "" ? -1 : Number(by("f-kind").value);
    wanted.split = by("f-split").value === "" ? -1 : Number(by("f-split").value);
    wanted.text = by("f-text").value.trim().toLowerCase();
    const exact = book.tools.findIndex((name) => name.toLowerCase() === tool);
    const matching = book.tools.flatMap((name, at) => (name.toLowerCase().includes(tool) ? [at] : []));
    wanted.tools = tool === "" ? null : new Set(exact >= 0 ? [exact] : matching);
  }

  function fits(entry) {
    return (wanted.kind < 0 || entry[1] === wanted.kind) && (wanted.split < 0 || entry[2] === wanted.split) &&
      (wanted.tools === null || entry[3].some((tool) => wanted.tools.has(tool)));
  }

  const isWhole = () => listed.length === book.records;

  async function filter() {
    search += 1;
    const mine = search;
    readFilters();
    const candidates = [];
    listed.forEach((entry, at) => { if (fits(entry)) candidates.push(at); });
    if (wanted.text === "") {
      show(candidates);
      tell(isWhole() ? `${number(found.length)} of ${number(book.records)} records` : `${number(listed.length)} records read so far…`);
      return;
    }
    if (requests.length !== listed.length) requests = listed.map((entry) => entry[4].toLowerCase());
    const matches = new Set(candidates.filter((at) => requests[at].includes(wanted.text)));
    show([...matches]);
    tell(`${number(matches.size)} found in requests, searching all texts…`);
    await searchTexts(candidates, matches, mine);
  }

  // Look through the whole texts, chunk by chunk; what the requests told already is shown meanwhile.
  async function searchTexts(candidates, matches, mine) {
    const needles = spellings(wanted.text);
    let looked = 0, drawn = performance.now();
    for (const [chunk, members] of byChunk(candidates)) {
      const text = await unpack(chunkNodes[chunk]);
      if (mine !== search) return;
      const low = text.toLowerCase();
      if (needles.some((needle) => low.includes(needle))) {
        const lines = text.split("\n");
        for (const at of members) if (!matches.has(at) && says(lines[places[at][1]], needles)) matches.add(at);
      }
      looked += members.length;
      if (performance.now() - drawn > 250) {
        show([...matches].sort((one, other) => one - other));
        tell(`${number(matches.size)} found, ${number(looked)} of ${number(candidates.length)} records searched…`);
        await new Promise((go) => setTimeout(go));
        if (mine !== search) return;
        drawn = performance.now();
      }
    }
    show([...matches].sort((one, other) => one - other));
    tell(`${number(found.length)} of ${number(book.records)} records, all texts searched${isWhole() ? "" : " that are read so far"}`);
  }

  function byChunk(candidates) {
    const groups = new Map();
    for (const at of candidates) {
      const chunk = places[at][0];
      if (!groups.has(chunk)) groups.set(chunk, []);
      groups.get(chunk).push(at);
    }
    return groups;
  }

  // A text as it stands in JSON, and in JSON that stands in JSON.
  function spellings(text) {
    const once = JSON.stringify(text).slice(1, -1);
    return [...new Set([text, once, JSON.stringify(once).slice(1, -1)])];
  }

  function says(line, needles) {
    const low = line.toLowerCase();
    if (!needles.some((needle) => low.includes(needle))) return false;
    return textsOf(JSON.parse(line)[6]).some((text) => needles.some((needle) => text.toLowerCase().includes(needle)));
  }

  // What is said, called with and answered; not the levels of evidence, nor the places.
  function textsOf(messages) {
    return messages.flatMap(([role, text, third, fourth]) => {
      if (role === "tool") return [text, third, fourth];
      return [text, ...(third || []).flatMap(([id, name, given]) => [id, name, ...given.flatMap(([at, value]) => [at, value])])];
    });
  }

  function tell(words) { by("found").textContent = words; }

  // ---- The list ----
  const list = by("list"), rows = by("rows");
  const drawnRows = new Map();

  function show(places) {
    const chosen = current >= 0 ? found[current] : undefined;
    found = places;
    current = chosen === undefined ? -1 : found.indexOf(chosen);
    rows.style.height = `${found.length * ROW}px`;
    for (const row of drawnRows.values()) row.remove();
    drawnRows.clear();
    draw();
    if (current < 0 && found.length) choose(0, false);
    if (!found.length) by("record").replaceChildren(make("p", "note", "No record fits."));
  }

  function draw() {
    const first = Math.max(0, Math.floor(list.scrollTop / ROW) - DRAWN_BEYOND);
    const last = Math.min(found.length, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + DRAWN_BEYOND);
    for (const [at, row] of drawnRows) if (at < first || at >= last) { row.remove(); drawnRows.delete(at); }
    for (let at = first; at < last; at += 1) if (!drawnRows.has(at)) addRow(at);
    list.setAttribute("aria-activedescendant", drawnRows.has(current) ? `row-${current}` : "");
  }

  function addRow(at) {
    const [index, kind, split, tools, request] = listed[found[at]];
    const told = [`#${index}`, book.kinds[kind] || "", book.splits[split] || "", tools.map((tool) => book.tools[tool]).join(", ")];
    const row = make("div", "row", make("span", "asks", visible(request) || "(no request)"), make("span", "tells", visible(told.filter(Boolean).join(" · "))));
    row.id = `row-${at}`;
    row.setAttribute("role", "option");
    row.setAttribute("aria-setsize", String(found.length));
    row.setAttribute("aria-posinset", String(at + 1));
    row.setAttribute("aria-selected", String(at === current));
    row.style.top = `${at * ROW}px`;
    row.addEventListener("click", () => { choose(at, true); });
    drawnRows.set(at, row);
    rows.append(row);
  }

  function choose(at, byHand) {
    drawnRows.get(current)?.setAttribute("aria-selected", "false");
    current = Math.max(0, Math.min(found.length - 1, at));
    const top = current * ROW;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (top + ROW > list.scrollTop + list.clientHeight) list.scrollTop = top + ROW - list.clientHeight;
    draw();
    drawnRows.get(current)?.setAttribute("aria-selected", "true");
    open(found[current], byHand);
  }

  list.addEventListener("scroll", draw, { passive: true });
  new ResizeObserver(draw).observe(list);
  list.addEventListener("keydown", (event) => {
    const page = Math.max(1, Math.floor(list.clientHeight / ROW) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -found.length, End: found.length };
    if (event.key in steps && found.length) choose(current + steps[event.key], true);
    else if (event.key === "Enter") by("record").focus();
    else return;
    event.preventDefault();
  });
  by("record").addEventListener("keydown", (event) => { if (event.key === "Escape") list.focus(); });

  // ---- One record ----
  let asked = 0;
  async function open(place, byHand) {
    asked += 1;
    const mine = asked;
    const [chunk, line] = places[place];
    const lines = await linesOf(chunk);
    if (mine !== asked) return;
    const record = JSON.parse(lines[line]), tools = JSON.parse(lines[0]);
    const view = by("record");
    view.replaceChildren(...portrait(record, tools, listed[place]));
    view.scrollTop = 0;
    if (byHand && window.matchMedia("(max-width: 56rem)").matches && document.activeElement !== list) view.scrollIntoView({ block: "start" });
  }

  function portrait([index, id, split, attempt, author, shownTools, messages], tools, [, kind]) {
    const told = [book.kinds[kind] && `kind ${book.kinds[kind]}`, split && `split ${split}`, author && `author ${author}`, attempt && `attempt ${/^\d{1,9}$/.test(attempt) ? Number(attempt) + 1 : attempt}`, id && `id ${id}`];
    const title = make("h3", "", `Record ${number(index)}`);
    const facts = make("p", "tells", shown(told.filter(Boolean).join(" · ")));
    const marks = evidenceOf(messages);
    return [title, facts, toolList(shownTools.map((at) => tools[at])), ...messages.map((message, at) => turn(message, at, marks))];
  }

  // The evidence of every argument, numbered, by the message that it stands in.
  function evidenceOf(messages) {
    const marks = { byMessage: new Map(), byArgument: new Map() };
    let count = 0;
    for (const [role, , calls] of messages) {
      for (const [, , given] of role === "tool" ? [] : calls || []) {
        for (const argument of given) {
          const [, , level, where, text] = argument;
          if (!level) continue;
          count += 1;
          const place = /^\/messages\/(\d+)\//.exec(where || "");
          const entry = { count, level, text, where, at: place ? Number(place[1]) : -1 };
          marks.byArgument.set(argument, entry);
          if (place && text) marks.byMessage.set(entry.at, [...(marks.byMessage.get(entry.at) || []), entry]);
        }
      }
    }
    return marks;
  }

  function toolList(tools) {
    if (!tools.length) return make("p", "tells", "No tools are shown.");
    const names = tools.map(([name]) => name).join(", ");
    const block = make("details", "", make("summary", "", shown(`Tools shown: ${names}`)));
    for (const [name, description, parameters] of tools) {
      block.append(make("p", "", make("code", "", shown(name)), " ", shown(description)), make("div", "json", shown(laidOut(parameters))));
    }
    return block;
  }

  function turn([role, text, third, fourth, status], at, marks) {
    const known = ["system", "user", "assistant", "tool"].includes(role) ? role : "other";
    const head = make("h4", "", shown(role));
    const node = make("section", `turn ${known}`, head);
    if (role === "tool") {
      const failed = status && status !== "SUCCESS";
      head.append(" ", make("code", "", shown(third)), " ", make("span", "id", shown(fourth)), failed ? make("span", "failed", shown(` ${status}`)) : "");
      node.append(marked("div", "json", laidOut(text), marks.byMessage.get(at)));
      return node;
    }
    if (text || !third) node.append(marked("p", "said", text, marks.byMessage.get(at)));
    for (const call of third || []) node.append(callOf(call, marks));
    return node;
  }

  function callOf([id, name, given], marks) {
    const node = make("div", "call", make("code", "", shown(name)), " ", make("span", "id", shown(id)));
    if (!given.length) return node;
    const body = make("tbody");
    for (const argument of given) {
      const [pointer, value] = argument, entry = marks.byArgument.get(argument);
      const named = make("th", "", shown(pointer.replace(/^\//, "")));
      named.scope = "row";
      body.append(make("tr", "", named, make("td", "json", shown(value)), make("td", "", entry ? witness(entry) : "")));
    }
    const head = make("tr");
    for (const word of ["argument", "value", "evidence"]) { const cell = make("th", "", word); cell.scope = "col"; head.append(cell); }
    node.append(make("table", "", make("thead", "", head), body));
    return node;
  }

  const levelClass = (level) => (LEVELS.has(level) ? level : "literal");

  // What vouches for an argument; pressing it leads to the words.
  function witness({ count, level, text, where, at }) {
    const cell = document.createDocumentFragment();
    if (at < 0) {
      cell.append(make("span", `level ${levelClass(level)}`, shown(level)), " ", shown(where || text || ""));
      return cell;
    }
    const button = make("button", `level ${levelClass(level)}`, `${count} `, shown(level));
    button.type = "button";
    button.title = "Show the words";
    button.addEventListener("click", () => pointOut(count));
    cell.append(button, " ", make("q", "", shown(text || "")));
    return cell;
  }

  function pointOut(count) {
    for (const near of document.querySelectorAll(".near")) near.classList.remove("near");
    const mark = by("record").querySelector(`mark[data-count~="${count}"]`);
    if (!mark) return;
    mark.classList.add("near");
    mark.scrollIntoView({ block: "center" });
  }

  // A text with the words of evidence marked, each with its numbers; where marks meet, the longer one stays.
  function marked(name, className, text, entries) {
    const node = make(name, className);
    const spans = [];
    for (const entry of [...(entries || [])].sort((one, other) => other.text.length - one.text.length)) {
      let from = text.indexOf(entry.text);
      if (from < 0) from = text.indexOf(JSON.stringify(entry.text).slice(1, -1));
      if (from < 0) continue;
      const to = from + entry.text.length;
      const meeting = spans.find((span) => from < span.to && span.from < to);
      if (meeting) meeting.entries.push(entry);
      else spans.push({ from, to, entries: [entry] });
    }
    let from = 0;
    for (const span of spans.sort((one, other) => one.from - other.from)) {
      const mark = make("mark", levelClass(span.entries[0].level), shown(text.slice(span.from, span.to)));
      const counts = span.entries.map((entry) => entry.count).sort((one, other) => one - other);
      mark.dataset.count = counts.join(" ");
      mark.append(make("sup", "", counts.join(" ")));
      node.append(shown(text.slice(from, span.from)), mark);
      from = span.to;
    }
    node.append(shown(text.slice(from)));
    return node;
  }

  // JSON with line breaks, its numbers and texts exactly as they stand; any other text as it is.
  function laidOut(text) {
    try { JSON.parse(text); } catch { return text; }
    const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) || [];
    let depth = 0, out = "";
    const line = () => `\n${"  ".repeat(Math.min(depth, 40))}`;
    tokens.forEach((token, at) => {
      if (token === "{" || token === "[") {
        depth += 1;
        out += token + (tokens[at + 1] === "}" || tokens[at + 1] === "]" ? "" : line());
      } else if (token === "}" || token === "]") {
        depth -= 1;
        out += (tokens[at - 1] === "{" || tokens[at - 1] === "[" ? "" : line()) + token;
      } else out += token === "," ? token + line() : token === ":" ? ": " : token;
    });
    return out;
  }

  // ---- Beginning ----
  function offer(select, names) {
    names.map((name, at) => [name, at]).sort().forEach(([name, at]) => {
      const option = make("option", "", visible(name) || "(none)");
      option.value = String(at);
      select.append(option);
    });
  }

  let isReady = false;
  function ready() {
    if (isReady) return;
    isReady = true;
    by("browser").hidden = false;
    offer(by("f-kind"), book.kinds);
    offer(by("f-split"), book.splits);
    by("l-split").hidden = book.splits.every((name) => name === "");
    for (const name of [...book.tools].sort()) { const option = make("option"); option.value = visible(name); by("tool-names").append(option); }
    let waiting = 0;
    const later = () => { clearTimeout(waiting); waiting = setTimeout(filter, 200); };
    by("f-text").addEventListener("input", later);
    by("f-tool").addEventListener("input", later);
    by("f-kind").addEventListener("change", filter);
    by("f-split").addEventListener("change", filter);
    document.querySelector(".filters").addEventListener("submit", (event) => { event.preventDefault(); filter(); });
    by("f-clear").addEventListener("click", () => { document.querySelector(".filters").reset(); filter(); });
    document.addEventListener("keydown", (event) => {
      const typing = ["INPUT", "SELECT", "TEXTAREA"].includes(document.activeElement?.tagName);
      if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) { by("f-text").focus(); event.preventDefault(); }
    });
    filter();
  }

  // ---- Light and dark ----
  const scheme = by("scheme"), root = document.documentElement;
  const isDark = () => (root.dataset.scheme || (window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const label = () => { scheme.textContent = isDark() ? "Light colours" : "Dark colours"; };
  scheme.hidden = false;
  scheme.addEventListener("click", () => { root.dataset.scheme = isDark() ? "light" : "dark"; label(); });
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", label);
  label();

  if (book.records === 0) tell("");
  else readList().catch((error) => {
    by("browser").hidden = false;
    tell(`The records cannot be read: ${error.message}. A newer browser may do (DecompressionStream is needed).`);
  });
})();
