/**
 * The places that may be given next: the lowest free ones, as many as there is room for. `taken` has an entry for every
 * employee, undefined for those without a place: the owner, and whoever was hired before there were places.
 *
 * A place is given only if all employees and the free places up to it are at most `max` together. Whatever others do
 * meanwhile, they fill those same places: the cap holds however old the look at `taken` is, and also after it was
 * lowered, when some sit in places beyond it.
 */
export function openPlaces(taken: readonly (number | undefined)[], max: number): number[] {
  const occupied = new Set(taken);
  const open: number[] = [];
  for (let place = 0; open.length < max - taken.length; place++) if (!occupied.has(place)) open.push(place);
  return open;
}
