import { z } from 'zod';

/** Several times what a written number takes, formatting included. */
const LENGTH_MAX = 200;
const NO_NUMBER = '?';

/** A phone number to look for, in whatever format. Text that can be none is no mistake of the caller: it finds nothing. */
export const phoneQuery = z
  .string()
  .transform((text) => (text.length > LENGTH_MAX || text.includes('\0') ? NO_NUMBER : text));

/** A plus sign that was not escaped arrives as a space. */
export const withPlus = (phone: string): string => phone.replace(/^ (?=\d)/, '+');
