/** The fields whose values differ from the saved ones. */
export function changedFields<Value extends object>(edited: Value, saved: Value): Partial<Value> {
  const before = new Map(Object.entries(saved));
  const changed = Object.entries(edited).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(before.get(field)),
  );
  return Object.fromEntries(changed) as Partial<Value>;
}
