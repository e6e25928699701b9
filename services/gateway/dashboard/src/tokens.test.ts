import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';

const APP = path.join(import.meta.dirname, '../app');
const TOKENS = await readFile(path.join(APP, 'styles/tokens.css'), 'utf8');

/** The colours of a scheme by their name. */
function coloursOf(scheme: 'light' | 'dark'): Map<string, string> {
  const colours = new Map<string, string>();
  for (const [, name, value = ''] of TOKENS.matchAll(/--([\w-]+):\s*([^;]+);/g)) {
    const pair = /^light-dark\(\s*(#\w+)\s*,\s*(#\w+)\s*\)$/.exec(value.trim());
    const colour = pair ? pair[scheme === 'light' ? 1 : 2] : /^#\w+$/.exec(value.trim())?.[0];
    if (name !== undefined && colour !== undefined) colours.set(name, colour);
  }
  return colours;
}

/** The contrast of two colours as WCAG 2 defines it. */
function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].toSorted((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const hex = colour.length === 4 ? colour.slice(1).replaceAll(/./g, '$&$&') : colour.slice(1);
  const [r = 0, g = 0, b = 0] = [0, 2, 4].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.039_28 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const SURFACES = ['canvas', 'surface', 'subtle', 'raised', 'hover'];
const MEANINGS = ['accent', 'good', 'bad', 'warn'];
const TEXT = 4.5;
const GRAPHICS = 3;

/** Foreground, background and the minimum contrast. */
const PAIRS: readonly (readonly [string, string, number])[] = [
  ...['ink', 'ink-2', 'ink-3'].flatMap((ink) => SURFACES.map((surface) => [ink, surface, TEXT] as const)),
  ...['nav-on', 'bubble', 'well', 'knob'].flatMap((surface) =>
    ['ink', 'ink-2'].map((ink) => [ink, surface, TEXT] as const),
  ),
  ...MEANINGS.flatMap((meaning) =>
    [...SURFACES, `${meaning}-soft`].map((surface) => [`${meaning}-ink`, surface, TEXT] as const),
  ),
  ...MEANINGS.map((meaning) => ['ink', `${meaning}-soft`, TEXT] as const),
  ...['accent', 'accent-hover', 'good', 'bad', 'bad-hover'].map((solid) => ['on-solid', solid, TEXT] as const),
  ...Array.from({ length: 8 }, (_, index) => [`av${index}i`, `av${index}`, TEXT] as const),
  ...['edge-strong', 'good', 'warn', 'c1', 'c3'].map((graphic) => [graphic, 'surface', GRAPHICS] as const),
  ['surface', 'ink', TEXT],
];

describe.each(['light', 'dark'] as const)('the contrast of colours, %s', (scheme) => {
  const colours = coloursOf(scheme);

  it.each(PAIRS)('the contrast of %s on %s is at least %d', (front, back, least) => {
    expect(contrast(colours.get(front)!, colours.get(back)!)).toBeGreaterThanOrEqual(least);
  });
});

describe('the style sheets of components', () => {
  /** Lines and offsets of a pixel or two need no name. */
  const UNNAMED_PX_MAX = 3;

  async function componentStyles(): Promise<[file: string, styles: string][]> {
    const files = (await readdir(APP, { recursive: true })).filter((name) => name.endsWith('.module.css'));
    return Promise.all(
      ['styles/base.css', ...files].map(async (file) => {
        const source = await readFile(path.join(APP, file), 'utf8');
        return [file, source.replaceAll(/\/\*.*?\*\//gs, '')];
      }),
    );
  }

  it('the style sheets of components name no size that is not a token', async () => {
    const sizes = (await componentStyles()).flatMap(([file, styles]) =>
      [...styles.replaceAll(/@(media|container)[^{]*/g, '').matchAll(/([\d.]+)px/g)]
        .filter(([, px]) => Number(px) > UNNAMED_PX_MAX)
        .map(([size]) => `${file}: ${size}`),
    );
    expect(sizes).toEqual([]);
  });

  it('the style sheets of components name no width of a window, but those of media.css', async () => {
    const widths = (await componentStyles()).flatMap(([file, styles]) =>
      [...styles.matchAll(/@media[^{]*(?:width|height)[^{]*/g)].map(([query]) => `${file}: ${query}`),
    );
    expect(widths).toEqual([]);
  });

  it('the style sheets of components use only tokens that exist', async () => {
    const named = new Set([...TOKENS.matchAll(/^\s*(--[\w-]+):/gm)].map(([, name]) => name));
    const missing = (await componentStyles()).flatMap(([file, styles]) => {
      const own = new Set([...styles.matchAll(/(--[\w-]+):/g)].map(([, name]) => name));
      return [...styles.matchAll(/var\((--(?:[sfwrht]|lh)(?:-\w+)+)\)/g)]
        .filter(([, name]) => !named.has(name) && !own.has(name))
        .map(([, name]) => `${file}: ${name}`);
    });
    expect(missing).toEqual([]);
  });
});
