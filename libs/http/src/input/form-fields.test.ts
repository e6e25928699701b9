import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { formFieldsOf, readForm } from './form-fields.ts';

const body = z.object({
  title: z.string().max(5).nullish(),
  position: z.int().min(0).optional(),
  enabled: z.boolean().optional(),
  minutes: z.number().nullish(),
  timeout: z.union([z.literal([0, 15, 30]), z.string().regex(/^\s*$/), z.null()]).optional(),
  listened: z.union([z.boolean(), z.literal(['true', '1'])]).optional(),
  events: z.array(z.string()).min(1).optional(),
  key: z.unknown().optional(),
});

const read = (form: string) => readForm(new URLSearchParams(form), formFieldsOf(body));

describe('readForm', () => {
  it.each([
    ['title=7&position=7&key=7', { title: '7', position: 7, key: '7' }],
    ['enabled=true', { enabled: true }],
    ['enabled=0', { enabled: false }],
    ['enabled=1&position=1', { enabled: true, position: 1 }],
    ['position=-1', { position: -1 }],
    ['position=1.5', { position: '1.5' }],
    ['position=x&enabled=yes', { position: 'x', enabled: 'yes' }],
    ['position=1e3', { position: '1e3' }],
    ['minutes=&title=', { minutes: null, title: '' }],
    ['title=too+long', { title: 'too long' }],
    ['timeout=30', { timeout: 30 }],
    ['timeout=', { timeout: '' }],
    ['timeout=31', { timeout: '31' }],
    ['listened=true', { listened: 'true' }],
    ['events[]=a&events[]=b', { events: ['a', 'b'] }],
    ['unknown=1&unknown=2&other[]=3', {}],
  ])('readForm reads %s by the types of the fields', (form, value) => {
    expect(read(form)).toEqual({ value });
  });

  it.each([
    ['position=1&position=2', { position: ['must be given only once'] }],
    ['title[]=a', { title: ['must be a single value'] }],
    ['title[$ne]=a', { title: ['must be a single value'] }],
    ['events[]=a&events=b', { events: ['must be given only once'] }],
  ])('readForm refuses %s', (form, fields) => {
    expect(read(form)).toEqual({ fields });
  });

  it('readForm takes every value as text where the fields are not known', () => {
    expect(readForm(new URLSearchParams('a=1'), formFieldsOf(z.looseObject({}).or(z.null())))).toEqual({
      value: { a: '1' },
    });
  });

  it('readForm has the fields of an optional body', () => {
    expect(Object.keys(formFieldsOf(body.optional()) ?? {})).toContain('position');
  });
});
