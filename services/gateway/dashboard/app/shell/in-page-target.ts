/** The address of a link of the dashboard that was clicked without asking for another window; undefined for anything else. */
export function inPageTarget(event: MouseEvent): string | undefined {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return undefined;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link?.href || link.target || link.origin !== location.origin) return undefined;
  return link.pathname.startsWith('/dashboard/') ? link.pathname + link.search : undefined;
}
