/* The list of games: shows those that fit what is asked for. */
"use strict";

(() => {
  const form = document.getElementById("search"), count = document.getElementById("count");
  const [words, title, status, player] = ["words", "title", "status", "player"].map((id) => document.getElementById(id));
  const rows = [...document.querySelectorAll("#games tbody tr")].map((row) => ({
    row, text: row.textContent.toLowerCase(), players: JSON.parse(row.dataset.players),
  }));

  function look() {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const { row, text, players } of rows) {
      const fits = wanted.every((word) => text.includes(word))
        && (!title.value || row.dataset.title === title.value)
        && (!status.value || row.dataset.status === status.value)
        && (!player.value || players.includes(player.value));
      row.hidden = !fits;
      found += fits;
    }
    count.textContent = found;
  }

  form.addEventListener("input", look);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  look();
})();
