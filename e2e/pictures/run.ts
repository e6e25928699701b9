// `npm run pictures`: makes the pictures of the documentation from a stack of its own; `-- <local.json>` uses one that runs.
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startBrowser } from '../identity/real-browser.ts';
import { sandbox } from '../support/api.ts';
import { type LocalJson, startLocalStack } from '../support/local-stack.ts';
import { type Story, tellStory } from './story.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../docs/pictures');
/** Also on a busy machine. */
const LOAD_MS = 120_000;
/** What is shown in place of data that is being read. */
const SKELETON = '[aria-busy="true"], [data-loading]';
const SIZES = { 1280: 800, 1024: 768, 390: 844 } as const;

interface Picture {
  readonly name: string;
  readonly path: string;
  readonly widths?: readonly (keyof typeof SIZES)[];
  readonly schemes?: readonly ('light' | 'dark')[];
  readonly prepare?: (page: Page) => Promise<void>;
}

type Session = Awaited<ReturnType<BrowserContext['storageState']>>;

const thread = ({ customer }: Story) => `/dashboard/inbox/${encodeURIComponent(customer)}`;

const pictures = (story: Story): readonly Picture[] => [
  { name: 'inbox', path: thread(story), widths: [1280, 1024, 390] },
  { name: 'threads', path: '/dashboard/inbox', widths: [390], schemes: ['light'] },
  { name: 'home', path: '/dashboard/home', widths: [1280, 390] },
  {
    name: 'palette',
    path: '/dashboard/inbox',
    schemes: ['light'],
    prepare: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('searchbox', { name: 'Search and commands' }).fill('so');
      await page.waitForTimeout(800);
    },
  },
  { name: 'calls', path: '/dashboard/calls' },
  { name: 'contacts', path: '/dashboard/contacts' },
  { name: 'call', path: `/dashboard/calls/${story.callId}` },
  { name: 'assistant', path: `/dashboard/assistant/${story.assistantId}` },
  { name: 'assisted-call', path: `/dashboard/calls/${story.assistedCallId}` },
  { name: 'knowledge', path: '/dashboard/knowledge', schemes: ['light'] },
  { name: 'number', path: `/dashboard/numbers/${story.mainLine.id}` },
  { name: 'team', path: '/dashboard/team' },
  { name: 'reports', path: '/dashboard/reports?group_by=day', schemes: ['light'] },
  { name: 'live', path: '/dashboard/live', schemes: ['light'] },
  { name: 'settings', path: '/dashboard/settings' },
];

/** `-- <local.json> <name> …`: only these pictures. */
const [given, ...chosen] = process.argv.slice(2);
const own = given === undefined ? await startLocalStack() : undefined;
const stack = own?.local ?? (JSON.parse(await readFile(given!, 'utf8')) as LocalJson);
const browser = await startBrowser();
try {
  await mkdir(FOLDER, { recursive: true });
  await signInPicture(browser);
  const story = await tellStory(stack, Date.now().toString(36));
  const wanted = pictures(story).filter(({ name }) => chosen.length === 0 || chosen.includes(name));
  const session = await signIn(browser, story);
  for (const picture of wanted) await take(browser, session, picture);
} finally {
  await browser.close();
  await own?.stop();
}
process.exit();

/** The cookies of a browser that has signed in. */
async function signIn(chromium: Browser, story: Story): Promise<Session> {
  const page = await open(chromium, 1280, 'light');
  await page.goto('/signin?return_to=/dashboard/settings');
  await page.getByLabel('Email').fill(story.owner.email);
  await page.getByLabel('Password', { exact: true }).fill(story.owner.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  const session = await page.context().storageState();
  await page.context().close();
  return session;
}

async function take(chromium: Browser, session: Session, picture: Picture): Promise<void> {
  for (const width of picture.widths ?? [1280])
    for (const colorScheme of picture.schemes ?? (['light', 'dark'] as const)) {
      const page = await open(chromium, width, colorScheme, session);
      await page.goto(picture.path);
      await page.waitForLoadState('networkidle').catch(() => undefined);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator(SKELETON).first().waitFor({ state: 'detached' });
      await picture.prepare?.(page);
      await save(page, `${picture.name}-${width}-${colorScheme}`);
    }
}

async function signInPicture(chromium: Browser): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await open(chromium, 1280, colorScheme);
    await page.goto('/signin');
    await save(page, `sign-in-1280-${colorScheme}`);
  }
}

/** A window at the time of the stack, whose clock the story has moved. */
async function open(
  chromium: Browser,
  width: keyof typeof SIZES,
  colorScheme: 'light' | 'dark',
  session?: Session,
): Promise<Page> {
  const context = await chromium.newContext({
    baseURL: stack.base_url,
    viewport: { width, height: SIZES[width] },
    colorScheme,
    locale: 'en-GB',
    timezoneId: 'Europe/Copenhagen',
    ...(session && { storageState: session }),
  });
  const page = await context.newPage();
  page.setDefaultTimeout(LOAD_MS);
  const { body: clock } = await sandbox(stack, 'GET', '/clock');
  await page.clock.install({ time: new Date(clock.now) });
  return page;
}

async function save(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(700);
  await page.screenshot({ path: path.join(FOLDER, `${name}.png`) });
  console.log(name);
  await page.context().close();
}
