/** Absent: leave it. Null: clear it. */
export function textChange(value: string | null | undefined): { value?: string } | undefined {
  if (value === undefined) return undefined;
  return value === null ? {} : { value };
}
