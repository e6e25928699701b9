/** The nearest scrolling ancestor, which differs between wide and narrow windows; null for the window. */
export function scrollerOf(element: Element): HTMLElement | null {
  for (let one = element.parentElement; one; one = one.parentElement)
    if (/auto|scroll/.test(getComputedStyle(one).overflowY)) return one;
  return null;
}
