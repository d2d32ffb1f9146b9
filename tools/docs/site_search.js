// Search for pages that are opened from a disk: a browser does not let the theme's search read its index there. A server's pages get the
// theme's search.
"use strict";

(() => {
  const shown = document.getElementById("mkdocs-search-results");
  const index = window.site_index;
  if (shown === null || index === undefined) return;
  if (location.protocol !== "file:") {
    const theirs = document.createElement("script");
    theirs.src = "search/main.js";
    document.body.append(theirs);
    return;
  }

  const query = new URLSearchParams(location.search).get("q") ?? "";
  const words = query.toLowerCase().split(/\s+/).filter((word) => word !== "");

  // A word in a title counts ten times one in the text; a page that lacks a word is left out.
  const score = (page) => {
    let sum = 0;
    for (const word of words) {
      const hits = 10 * (page.title.toLowerCase().split(word).length - 1) + page.text.toLowerCase().split(word).length - 1;
      if (hits === 0) return 0;
      sum += hits;
    }
    return sum;
  };

  const entry = (page) => {
    const article = document.createElement("article");
    const link = document.createElement("a");
    link.href = page.location;
    link.textContent = page.title;
    const title = document.createElement("h3");
    title.append(link);
    const text = document.createElement("p");
    const at = Math.max(0, page.text.toLowerCase().indexOf(words[0]) - 60);
    text.textContent = page.text.slice(at, at + 200);
    article.append(title, text);
    return article;
  };

  const found = index.docs.map((page) => ({ page, hits: score(page) })).filter(({ hits }) => hits > 0);
  found.sort((a, b) => b.hits - a.hits);
  shown.replaceChildren(...found.slice(0, 50).map(({ page }) => entry(page)));
  if (found.length === 0) shown.textContent = `Nothing found for "${query}".`;
})();
