// The sidebar: on a narrow screen the menu button opens it; the button, a click outside, Escape and a link of it close it.
"use strict";

(() => {
  const button = document.getElementById("site-menu-button");
  const side = document.querySelector(".wy-nav-side");
  side.id = "site-menu";
  button.setAttribute("aria-controls", side.id);

  const isOpen = () => side.classList.contains("shift");
  const show = (open) => {
    side.classList.toggle("shift", open);
    button.setAttribute("aria-expanded", String(open));
  };

  button.addEventListener("click", () => show(!isOpen()));
  document.addEventListener("click", (event) => {
    const within = side.contains(event.target) && event.target.closest("a") === null;
    if (isOpen() && !within && !button.contains(event.target)) show(false);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !isOpen()) return;
    show(false);
    button.focus();
  });

  // The page's own entry is in sight.
  const entry = side.querySelector("a.current");
  const scroller = side.querySelector(".wy-side-scroll");
  if (entry !== null) scroller.scrollTop += entry.getBoundingClientRect().top - scroller.clientHeight / 3;
})();
