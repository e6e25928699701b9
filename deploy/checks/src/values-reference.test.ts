import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { root } from './root.ts';
import { CHART_README, readmeWithValues, valuesTable } from './values-reference.ts';

describe('the values in the README of the chart', () => {
  it('the values in the README of the chart are those of values.yaml; run "npm run generate"', () => {
    expect(readFileSync(path.join(root, CHART_README), 'utf8')).toBe(readmeWithValues());
  });

  it('the values in the README of the chart have a row each, with the default and the comment above', () => {
    const values = `# About the file.

# A group
# of two.
group:
  # The first.
  one: ''
  two: [1, 2]
  # - code: [x]
  three: { a: 1 }
  list:
    - { b: 2 }
    - { c: 3 }
empty: {}
`;
    expect(valuesTable(values)).toBe(`| value | default | |
| --- | --- | --- |
| \`group\` | | A group of two. |
| \`group.one\` | \`''\` | The first. |
| \`group.two\` | \`[1, 2]\` |  |
| \`group.three\` | \`{ a: 1 }\` |  |
| \`group.list\` | \`- { b: 2 } - { c: 3 }\` |  |
| \`empty\` | \`{}\` |  |`);
  });
});
