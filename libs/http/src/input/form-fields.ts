import { z } from 'zod';
import { type FieldProblems, flatRecord, type Validated } from './validation.ts';

/** The schemas of the fields of a form; undefined when the body's schema does not list them. */
export type FormFields = Readonly<Record<string, z.ZodType>>;

export function formFieldsOf(body: unknown): FormFields | undefined {
  if (body instanceof z.ZodOptional || body instanceof z.ZodNullable) return formFieldsOf(body.unwrap());
  return body instanceof z.ZodObject ? (body.shape as FormFields) : undefined;
}

/**
 * The body that a form stands for. All its values are text: a number, `true` or `false` (also `1` and `0`), and an empty
 * value for null are read as such where the field takes no text. `name[]` is an item of a list, where the field takes one.
 */
export function readForm(form: URLSearchParams, fields: FormFields | undefined): Validated<Record<string, unknown>> {
  if (!fields) return flatRecord(form, undefined);
  const single = new URLSearchParams();
  const lists = new Map<string, unknown[]>();
  for (const [key, value] of form) {
    const name = key.endsWith('[]') ? key.slice(0, -2) : undefined;
    const schema = name !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (name === undefined || !schema || !takes(schema, [])) single.append(key, value);
    else lists.set(name, [...(lists.get(name) ?? []), value]);
  }
  const flat = flatRecord(single, Object.keys(fields));
  const twice = Object.keys('value' in flat ? flat.value : {}).filter((name) => lists.has(name));
  if (twice.length > 0) return { fields: problemsOf(twice, 'must be given only once') };
  if ('fields' in flat) return flat;
  const read = Object.entries(flat.value).map(([name, text]) => [name, valueOf(fields[name]!, text)]);
  return { value: Object.fromEntries([...read, ...lists]) };
}

/** Prefers the reading that the schema accepts, then one of the right type, so that the reported problem is the relevant one. */
function valueOf(schema: z.ZodType, text: string): unknown {
  const readings = [text, ...otherReadings(text)];
  const accepted = readings.filter((value) => schema.safeParse(value).success);
  const [chosen] = [...accepted, ...readings.filter((value) => takes(schema, value)), text];
  return chosen;
}

function otherReadings(text: string): unknown[] {
  if (text === '') return [null];
  if (text === 'true' || text === 'false') return [text === 'true'];
  if (text === '1' || text === '0') return [Number(text), text === '1'];
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? [Number(text)] : [];
}

/** Checks the type only; the value itself may still break a rule. */
function takes(schema: z.ZodType, value: unknown): boolean {
  const parsed = schema.safeParse(value);
  if (parsed.success) return true;
  return !parsed.error.issues.some(
    ({ path, code }) => path.length === 0 && (code === 'invalid_type' || code === 'invalid_union'),
  );
}

function problemsOf(names: readonly string[], message: string): FieldProblems {
  return Object.fromEntries(names.map((name) => [name, [message]]));
}
