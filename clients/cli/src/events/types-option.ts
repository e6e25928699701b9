import { wrongUsage } from '../errors.ts';

/** Of the service. */
const TYPES_MAX = 30;

/** Types separated by commas, such as `call.ended,contact.*`; undefined for all. */
export function readTypes(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  const types = text.split(',').map((type) => type.trim());
  if (types.some((type) => !/^[\w.*]+$/.test(type)) || types.length > TYPES_MAX)
    throw wrongUsage(
      `${text} are no types of events`,
      'Write 1 to 30 names with commas, such as call.ended,contact.*; "parley events types" lists them.',
    );
  return types;
}
