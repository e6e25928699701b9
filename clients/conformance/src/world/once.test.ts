import { expect, it } from '@jest/globals';
import type { Company } from './company.ts';
import { once } from './once.ts';

const company = (id: string) => ({ id }) as Company;

it('what was prepared for a company is prepared once, and again for another one', async () => {
  let count = 0;
  const prepare = () => Promise.resolve((count += 1));
  const values = [
    await once(company('a'), 'a call', prepare),
    await once(company('a'), 'a call', prepare),
    await once(company('b'), 'a call', prepare),
    await once(company('a'), 'a text', prepare),
  ];
  expect(values).toEqual([1, 1, 2, 3]);
});

it('what could not be prepared is tried again', async () => {
  await expect(once(company('c'), 'a call', () => Promise.reject(new Error('busy')))).rejects.toThrow('busy');
  expect(await once(company('c'), 'a call', () => Promise.resolve('done'))).toBe('done');
});
