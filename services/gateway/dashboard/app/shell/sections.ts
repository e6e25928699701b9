import type { ComponentType } from 'react';
import InboxPages from '../inbox/index.tsx';
import { readFirstThreads } from '../inbox/thread-queries.ts';
import { isAdmin, session } from '../session.ts';
import type { Icon } from '../ui/icon.ts';
import {
  Activity,
  BookOpen,
  Bot,
  ChartColumn,
  ContactRound,
  FlaskConical,
  Hash,
  House,
  Inbox,
  Phone,
  SlidersHorizontal,
  UsersRound,
  Webhook,
} from '../ui/icons/index.ts';
import { lazyPart } from './lazy-part.tsx';

/** A part of the dashboard with a link in the navigation. Its code is loaded when it is visited; that of the inbox, where one begins, is part of the shell. */
export interface Section {
  readonly path: string;
  /** In English, which is how it is translated. */
  readonly name: string;
  readonly icon: Icon;
  readonly group: 'work' | 'company' | 'setup';
  /** After `G`. */
  readonly letter: string;
  /** Among the tabs of a phone; the others are behind *More*. */
  readonly isTab?: boolean;
  /** Otherwise it has its own routes below its path. */
  readonly isOnePage?: boolean;
  /** False for those who may not use it. */
  readonly isShown?: boolean;
  /** Reads what its page without filters shows, when that is where one begins. */
  readonly readFirst?: () => Promise<void>;
  readonly Pages: ComponentType & { readonly load?: () => Promise<void> };
}

/** Pages of the settings with addresses of their own, which are older. */
export const ACCOUNT_PAGES = ['/api-keys', '/connected-apps', '/sessions', '/security', '/password', '/addresses/:id'];

const all: readonly Section[] = [
  {
    path: '/home',
    name: 'Home',
    icon: House,
    group: 'work',
    letter: 'h',
    isOnePage: true,
    Pages: lazyPart(() => import('../home/index.tsx')),
  },
  {
    path: '/inbox',
    name: 'Inbox',
    icon: Inbox,
    group: 'work',
    letter: 'i',
    isTab: true,
    Pages: InboxPages,
    readFirst: readFirstThreads,
  },
  {
    path: '/calls',
    name: 'Calls',
    icon: Phone,
    group: 'work',
    letter: 'c',
    isTab: true,
    Pages: lazyPart(() => import('../calls/index.tsx')),
  },
  {
    path: '/contacts',
    name: 'Contacts',
    icon: ContactRound,
    group: 'work',
    letter: 'p',
    isTab: true,
    Pages: lazyPart(() => import('../contacts/index.tsx')),
  },
  {
    path: '/numbers',
    name: 'Numbers',
    icon: Hash,
    group: 'company',
    letter: 'n',
    Pages: lazyPart(() => import('../numbers/index.tsx')),
  },
  {
    path: '/assistant',
    name: 'Assistant',
    icon: Bot,
    group: 'company',
    letter: 'a',
    Pages: lazyPart(() => import('../assistant/index.tsx')),
  },
  {
    path: '/knowledge',
    name: 'Knowledge',
    icon: BookOpen,
    group: 'company',
    letter: 'k',
    Pages: lazyPart(() => import('../knowledge/index.tsx')),
  },
  {
    path: '/team',
    name: 'Team',
    icon: UsersRound,
    group: 'company',
    letter: 't',
    isOnePage: true,
    Pages: lazyPart(() => import('../team/index.tsx')),
  },
  {
    path: '/reports',
    name: 'Reports',
    icon: ChartColumn,
    group: 'company',
    letter: 'r',
    isOnePage: true,
    Pages: lazyPart(() => import('../reports/index.tsx')),
  },
  {
    path: '/live',
    name: 'Live',
    icon: Activity,
    group: 'company',
    letter: 'l',
    isOnePage: true,
    Pages: lazyPart(() => import('../wallboard/index.tsx')),
  },
  {
    path: '/webhooks',
    name: 'Webhooks',
    icon: Webhook,
    group: 'setup',
    letter: 'w',
    isShown: isAdmin,
    Pages: lazyPart(() => import('../webhooks/index.tsx')),
  },
  {
    path: '/settings',
    name: 'Settings',
    icon: SlidersHorizontal,
    group: 'setup',
    letter: 's',
    Pages: lazyPart(() => import('../settings/index.tsx')),
  },
  {
    path: '/sandbox',
    name: 'Sandbox',
    icon: FlaskConical,
    group: 'setup',
    letter: 'x',
    isOnePage: true,
    isShown: session.sandboxUrl !== null,
    Pages: lazyPart(() => import('../sandbox/index.tsx')),
  },
];

export const sections = all.filter(({ isShown = true }) => isShown);

/** Code and data of the page that is shown first. */
export async function loadFirst({ pathname, search }: Location): Promise<void> {
  const address = pathname.slice('/dashboard'.length);
  const section = sections.find(({ path }) => address === path || address.startsWith(`${path}/`));
  const isFirstPage = address === section?.path && search === '';
  await Promise.all([section?.Pages.load?.(), isFirstPage && section.readFirst?.()]);
}
