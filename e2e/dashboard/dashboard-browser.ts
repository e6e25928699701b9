import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { PASSWORD } from '../identity/people.ts';
import { browserPath, startBrowser } from '../identity/real-browser.ts';
import { visit } from '../identity/visitor.ts';
import { sharedStack } from '../support/api.ts';
import type { LocalJson } from '../support/local-stack.ts';
import { waitUntil } from '@parley/testkit/wait-until';

/** Like `describe`, but skipped without Chromium. It is a function because `describe` is another one for each test file. */
export function describeInBrowser(name: string, tests: () => void): void {
  (browserPath === undefined ? describe.skip : describe)(name, tests);
}
if (browserPath === undefined) console.warn('no Chromium here: the dashboard is not tried in a real browser');

/** The width of a phone, at which nothing may need scrolling sideways. */
export const PHONE_SCREEN = { width: 375, height: 740 };

const SIGN_IN_REPEATS_MAX = 3;

export interface DashboardBrowser {
  /** A browser window of an employee, signed in at a page of the dashboard; every one has cookies of its own. */
  signIn(employee: { email: string; password?: string }, path?: string, options?: BrowserContextOptions): Promise<Page>;
  /** A further window of the same browser, with the same session. */
  openWindow(page: Page, path: string): Promise<Page>;
  /** Errors that a test causes on purpose and that the browser may therefore report. */
  expectProblems(...patterns: RegExp[]): void;
}

/**
 * Chromium for the tests of a file. Fails a test in which a page threw an error, wrote one to the console, or did something that
 * its content security policy forbids. Responses of the API that are errors are no such problem: the page shows them. The microphone
 * beeps, or plays a file.
 */
export function dashboardBrowser(
  stack: Pick<LocalJson, 'base_url'> = sharedStack(),
  microphoneFile?: string,
): DashboardBrowser {
  let browser: Browser;
  let problems: string[] = [];
  let expected: RegExp[] = [];

  beforeAll(async () => {
    if (browserPath !== undefined) browser = await startBrowser(microphoneFile);
  });
  afterAll(() => browser?.close());
  afterEach(() => {
    const unexpected = problems.filter((problem) => !expected.some((pattern) => pattern.test(problem)));
    problems = [];
    expected = [];
    expect(unexpected).toEqual([]);
  });

  function watch(page: Page): Page {
    page.setDefaultTimeout(30_000);
    page.on('pageerror', (error) => problems.push(`thrown: ${error.message}`));
    page.on('console', (message) => {
      const isResponse = message.text().startsWith('Failed to load resource') && isOfApi(message.location().url);
      if (message.type() === 'error' && !isResponse) problems.push(`${message.text()} (${message.location().url})`);
    });
    return page;
  }

  return {
    async signIn({ email, password = PASSWORD }, path = '/dashboard', options = {}) {
      const context = await browser.newContext({ baseURL: stack.base_url, ...options });
      await context.addInitScript(REPORT_VIOLATIONS);
      const page = watch(await context.newPage());
      const userAgent = (await page.evaluate('navigator.userAgent')) as string;
      const cookies = await cookiesOf({ email, password }, stack.base_url, userAgent);
      await context.addCookies(cookies.map(([name, value]) => ({ name, value, url: stack.base_url })));
      await page.goto(path);
      await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link').first().waitFor();
      return page;
    },
    async openWindow(page, path) {
      const another = watch(await page.context().newPage());
      await another.goto(path);
      return another;
    },
    expectProblems(...patterns) {
      expected.push(...patterns);
    },
  };
}

/**
 * Those of a new session. The form is tested with a browser elsewhere (`identity/browser.test.ts`); without it, a window costs
 * half the processor time.
 */
async function cookiesOf(
  employee: { email: string; password: string },
  baseUrl: string,
  userAgent: string,
): Promise<[string, string][]> {
  const visitor = visit(baseUrl, userAgent);
  const fields = { Email: employee.email, Password: employee.password };
  const submit = async () => visitor.press(await visitor.open('/signin'), 'Sign in', fields);
  let page = await submit();
  // Several browsers that start on a slow machine may keep the stack from an answer in time.
  for (let repeats = 0; page.status === 503 && repeats < SIGN_IN_REPEATS_MAX; repeats++) page = await submit();
  if (page.status !== 200) throw new Error(`${employee.email} cannot sign in: ${page.status} ${page.text}`);
  return [...visitor.cookies];
}

const REPORT_VIOLATIONS = `addEventListener('securitypolicyviolation', (event) =>
  console.error('forbidden by the policy: ' + event.violatedDirective + ' ' + event.blockedURI));`;

function isOfApi(url: string): boolean {
  return new URL(url, 'http://unknown').pathname.startsWith('/api/');
}

/** Only the contrast depends on the colour scheme. */
const AXE_RUNS = [
  ['light', { resultTypes: ['violations'] }],
  ['dark', { resultTypes: ['violations'], runOnly: ['color-contrast'] }],
] as const;

const axeScript = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Expects no serious finding of axe, in either colour scheme. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const [colorScheme, options] of AXE_RUNS) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // Evaluated by the debugger, so the page's policy needs no exception.
    if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axeScript);
    const run = `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`;
    const violations = (await page.evaluate(run)) as AxeResults['violations'];
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    const found = serious.map(({ id, help, nodes }) => `${id} (${help}): ${nodes.map(({ html }) => html).join(' | ')}`);
    expect({ colorScheme, found }).toEqual({ colorScheme, found: [] });
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
}

/** Nothing is wider than the window. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const widths = await page.evaluate('[document.documentElement.scrollWidth, innerWidth]');
  const [content, window] = widths as [number, number];
  expect(content).toBeLessThanOrEqual(window);
}

/** Without a serious finding of axe, and with everything in sight on a phone. */
export async function expectUsable(page: Page): Promise<void> {
  await expectAccessible(page);
  const size = page.viewportSize()!;
  await page.setViewportSize(PHONE_SCREEN);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(size);
}

/** A part of a page by its heading. */
export const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** Saves a part of a page that is edited by itself. */
export async function save(page: Page, part: string): Promise<void> {
  await region(page, part).getByRole('button', { name: 'Save' }).click();
  await waitUntilSaved(page, part);
}

export async function waitUntilSaved(page: Page, part: string): Promise<void> {
  await page.getByText(`${part}: saved.`).last().waitFor();
  // The confirmation of the previous save may still be displayed.
  await region(page, part).getByRole('button', { name: 'Discard changes' }).waitFor({ state: 'detached' });
}

async function hasFocus(target: Locator): Promise<boolean> {
  return (await target.and(target.page().locator(':focus')).count()) > 0;
}

/** Waits until something has the focus: pages move it after they have shown what it is for. */
export async function waitForFocus(target: Locator): Promise<void> {
  await waitUntil(() => hasFocus(target), { what: `the focus at ${String(target)}` });
}

/** Waits until a field has a value: a page says that something is done before all of it shows that. */
export async function waitForValue(field: Locator, value: string): Promise<void> {
  await waitUntil(async () => (await field.inputValue()) === value, { what: `${String(field)} to be ${value}` });
}

/** Moves on with the tab key until something has the focus. */
export async function tabTo(target: Locator, stepsMax = 60): Promise<void> {
  const page = target.page();
  // Some buttons are disabled until what they need is loaded.
  await target.and(page.locator(':not(:disabled)')).waitFor();
  for (let steps = 0; steps < stepsMax; steps++) {
    if (await hasFocus(target)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`cannot be reached with the keyboard: ${String(target)}`);
}

/**
 * Text that runs a script if it is ever taken for markup; `expectNoInjection` says whether one ran. Every test of a page puts it
 * into whatever people outside the company control.
 */
export const INJECTION = `<img src=x onerror="globalThis.injected=1"><script>globalThis.injected=1</script>`;

export async function expectNoInjection(page: Page): Promise<void> {
  expect(await page.evaluate('globalThis.injected')).toBeUndefined();
  expect(await page.locator('img[src=x]').count()).toBe(0);
}

/** A time zone in which it is not the day that it is in that of business numbers. */
export function zoneOfAnotherDay(): string {
  const dayIn = (timeZone: string) => new Intl.DateTimeFormat('sv', { timeZone }).format();
  return ['Pacific/Kiritimati', 'Pacific/Pago_Pago'].find((zone) => dayIn(zone) !== dayIn('Europe/Copenhagen'))!;
}
