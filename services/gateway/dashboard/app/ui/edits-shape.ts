/** Compares the fields and their types with a sample. */
export function hasShapeOf<Value extends object>(value: unknown, sample: Value): value is Value {
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== Array.isArray(sample)) return false;
  if (Array.isArray(sample)) return Object.values(value).every((one) => isLike(one, sample[0]));
  const fields = new Map(Object.entries(value));
  const expected = Object.entries(sample);
  return (
    fields.size === expected.length &&
    expected.every(([name, one]) => fields.has(name) && isLike(fields.get(name), one))
  );
}

function isLike(value: unknown, sample: unknown): boolean {
  // An empty sample says nothing about the type.
  if (value === null || sample === null || sample === undefined) return true;
  return typeof sample === 'object' ? hasShapeOf(value, sample) : typeof value === typeof sample;
}
