/** The highest value of an axis with four equal whole steps that has room for `max`. */
export function axisMax(max: number): number {
  const step = Math.max(1, max / STEPS);
  const power = 10 ** Math.floor(Math.log10(step));
  const factor = [1, 2, 2.5, 5, 10].find((one) => one * power >= step && Number.isInteger(one * power)) ?? 10;
  return factor * power * STEPS;
}

const STEPS = 4;

/** The values of the grid lines, from the bottom. */
export function axisSteps(max: number): readonly number[] {
  const top = axisMax(max);
  return Array.from({ length: STEPS + 1 }, (_, index) => (top / STEPS) * index);
}

/** The axis has space for at most `shown` labels. */
export function hasLabel(index: number, count: number, shown: number): boolean {
  return index % Math.max(1, Math.ceil(count / shown)) === 0;
}
