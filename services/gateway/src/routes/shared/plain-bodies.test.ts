import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { publicEndpoints } from '../public-api.ts';

const HOSTILE = 'a\u001b\u009b\u007f\u202eb';
/** Names have no directions, longer texts end them. */
const PLAIN = ['ab', 'a\u202eb\u202c'];
/** Its service accepts ASCII only. */
const OWN_FORM = 'name of patch /business_numbers/:id';
/** Texts that people read; other texts are ids, addresses and numbers. */
const READ_BY_PEOPLE = /^(name|company_name|note|text|title|label|tags|auto_reply_text|address|city|state|zip|vat_id)$/;

const bodies = publicEndpoints({} as Clients, () => {}, '').flatMap(({ method, path, body }) => {
  const object = body instanceof z.ZodOptional ? body.unwrap() : body;
  return object instanceof z.ZodObject ? [{ at: `${method} ${path}`, shape: object.shape as z.ZodRawShape }] : [];
});
const texts = bodies.flatMap(({ at, shape }) =>
  Object.entries(shape)
    .filter(([field]) => READ_BY_PEOPLE.test(field))
    .map(([field, schema]) => [`${field} of ${at}`, schema as z.ZodType] as const)
    .filter(([name]) => name !== OWN_FORM)
    // A state is also one of a list of words.
    .filter(([, schema]) => schema.safeParse('ab').success || schema.safeParse(['ab']).success),
);

describe('a text that people read', () => {
  it.each(texts)(
    'a text that people read loses, as %s, the characters that control how it is shown',
    (_name, schema) => {
      const [one, many] = [schema.safeParse(HOSTILE), schema.safeParse([HOSTILE])];
      expect(PLAIN).toContain(one.success ? one.data : (many.data as string[])[0]);
    },
  );

  it('a text that people read is in many bodies', () => {
    expect(texts.length).toBeGreaterThan(15);
  });
});
