import { describe, expect, it } from '@jest/globals';
import { readLookupResult } from './read-lookup-result.ts';

const field = (value: unknown, format?: string) => ({
  sections: [{ type: 'fields', fields: [{ label: 'L', value, ...(format && { format }) }] }],
});
const valueOf = (value: unknown, format?: string) => {
  const [section] = readLookupResult(field(value, format))?.sections ?? [];
  return section?.type === 'fields' ? section.fields[0]?.value : undefined;
};

describe('what another system answers', () => {
  it('what another system answers is cut to its limit without the blanks before it', () => {
    const blanks = ' '.repeat(200);
    const { contact } =
      readLookupResult({ contact: { name: `${blanks}Kim`, company_name: `${blanks}Kim & Co` } }) ?? {};
    expect(contact).toMatchObject({ name: 'Kim', companyName: 'Kim & Co' });
  });

  it('what another system answers has no characters that control how it is shown, and ends the directions that it begins', () => {
    const label = 'A\u001b\u009bB\u202e';
    const result = readLookupResult({
      contact: { name: 'Kim\u202e', note: 'one\r\ntwo\u007f\u2067' },
      url: 'https://x.example/a\u202eb',
      sections: [
        {
          type: 'fields',
          label,
          fields: [{ label, value: `${'x'.repeat(999)}\u202eyz`, url: 'https://x.example/\u001b' }],
        },
        { type: 'table', label, columns: [{ key: 'k', label }], rows: [{ values: { k: label } }] },
      ],
    });
    const plain = 'AB\u202e\u202c';
    expect(result).toMatchObject({
      contact: { name: 'Kim', note: 'one\ntwo\u2067\u2069' },
      url: null,
      sections: [
        { label: plain, fields: [{ label: plain, value: `${'x'.repeat(999)}\u202e\u202c` }] },
        { label: plain, columns: [{ label: plain }], rows: [{ values: { k: plain } }] },
      ],
    });
    expect(JSON.stringify(result)).not.toContain('x.example');
  });

  it.each([
    null,
    undefined,
    7,
    'x',
    [],
    {},
    { contact: {} },
    { sections: 'x' },
    { contact: { name: ' ' }, sections: [{}] },
  ])('the answer %j of another system is no result', (answer) => {
    expect(readLookupResult(answer)).toBeUndefined();
  });

  it.each([
    ['text', 'yes', 'yes'],
    ['text', 7, '7'],
    ['text', true, 'true'],
    ['text', { a: 1 }, undefined],
    ['text', 'a\0b', undefined],
    ['text', '\ud800', undefined],
    ['money', { amount: '12.50', currency: 'DKK' }, { amount: '12.50', currency: 'DKK' }],
    ['money', { amount: 12, currency: 'DKK' }, { amount: '12', currency: 'DKK' }],
    ['money', { amount: 'much', currency: 'DKK' }, undefined],
    ['money', { amount: '1' }, undefined],
    ['money', '12', undefined],
    ['date', '2025-01-31', '2025-01-31'],
    ['date', '2025-01-31T10:00:00Z', '2025-01-31T10:00:00Z'],
    ['date', 'tomorrow', undefined],
    ['date', '2025-13-45', undefined],
    ['date', '2025-02-30', undefined],
    ['date', '2025-01-31T10:00:00+01:00', '2025-01-31T10:00:00+01:00'],
    ['date', '2025-01-31T10:00:00', '2025-01-31T10:00:00'],
    ['text', ' x ', 'x'],
    ['email', 'a@example.com', 'a@example.com'],
    ['email', 'nobody', undefined],
    ['phone', '+4520304050', '+4520304050'],
    ['phone', '20304050', undefined],
    ['badge', 'Paid', 'Paid'],
    ['sparkline', 'x', 'x'],
  ])('what another system answers as %s, %j, is shown as %j', (format, value, shown) => {
    expect(valueOf(value, format)).toEqual(shown);
  });

  it('what another system answers is cut between characters, not within them', () => {
    expect(readLookupResult({ contact: { name: '🙂'.repeat(200) } })?.contact?.name).toBe('🙂'.repeat(128));
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'not a link', `https://a.example/${'x'.repeat(3000)}`, 7])(
    'the link %s that another system answers is dropped',
    (url) => {
      expect(readLookupResult({ url, contact: { name: 'A' } })?.url).toBeNull();
    },
  );

  it('what another system answers has an address that is cut to 320 characters and only then judged', () => {
    const long = `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.example`;
    const email = (address: string) => readLookupResult({ contact: { name: 'A', email: address } })?.contact?.email;
    expect(email(long)).toBe(long);
    expect(email(`${'a'.repeat(400)}@example.com`)).toBeNull();
    expect(email('nobody')).toBeNull();
  });

  it('what another system answers is bounded, whatever it sends', () => {
    const many = <Item>(item: Item) => Array.from({ length: 1000 }, () => item);
    const table = {
      type: 'table',
      label: 'T',
      columns: Array.from({ length: 1000 }, (_, index) => ({ key: `k${index}`, label: 'L' })),
      rows: [{ values: { k0: 'x'.repeat(5000), other: 'y' } }, ...many({ values: { k0: 'x' } })],
    };
    const fields = { type: 'fields', fields: many({ label: 'L', value: 'v' }) };
    const found = readLookupResult({ sections: [table, ...many(fields)] });
    expect(found?.sections).toHaveLength(20);
    const [first, second] = found?.sections ?? [];
    if (first?.type !== 'table' || second?.type !== 'fields') throw new Error('other sections');
    expect([first.columns.length, first.rows.length, second.fields.length]).toEqual([20, 100, 50]);
    expect(first.rows[0]?.values).toEqual({ k0: 'x'.repeat(1000) });
  });

  it('what another system answers has columns with unique names, and only cells of these columns', () => {
    const columns = [
      { key: 'a', label: 'A', format: 'money' },
      { key: 'a', label: 'Again' },
      { key: '__proto__', label: 'P' },
    ];
    const rows = [
      { url: 'https://a.example/', values: { a: { amount: '1', currency: 'EUR' } } },
      { values: { a: 'x' } },
      'x',
    ];
    expect(readLookupResult({ sections: [{ type: 'table', label: 'T', columns, rows }] })?.sections).toEqual([
      { type: 'table', label: 'T', columns: [columns[0]], rows: [rows[0]] },
    ]);
  });

  it('an answer of forty thousand small cells is cut to what fits, and the rest of the answer stays', () => {
    const columns = Array.from({ length: 20 }, (_, index) => ({ key: `c${index}`, label: 'L' }));
    const values = Object.fromEntries(columns.map(({ key }) => [key, 'x'.repeat(10)]));
    const table = { type: 'table', label: 'T', columns, rows: Array.from({ length: 100 }, () => ({ values })) };
    const found = readLookupResult({ contact: { name: 'Kim' }, sections: Array.from({ length: 20 }, () => table) });
    expect(found?.contact?.name).toBe('Kim');
    expect(found?.sections[0]).toMatchObject({ label: 'T', rows: expect.arrayContaining([{ values }]) });
    const bytes = Buffer.byteLength(JSON.stringify(found));
    expect([bytes > 90_000, bytes < 110_000]).toEqual([true, true]);
  });
});
