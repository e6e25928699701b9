import { isAdmin } from '../session.ts';
import type { Icon } from '../ui/icon.ts';
import {
  ChartColumn,
  ContactRound,
  Hash,
  House,
  Inbox,
  Phone,
  SlidersHorizontal,
  UsersRound,
  Webhook,
} from '../ui/icons/index.ts';

/** Pages that one goes to by name. */
export const pages: readonly { readonly path: string; readonly name: string; readonly icon: Icon }[] = [
  { path: '/home', name: 'Home', icon: House },
  { path: '/inbox', name: 'Inbox', icon: Inbox },
  { path: '/calls', name: 'Calls', icon: Phone },
  { path: '/contacts', name: 'Contacts', icon: ContactRound },
  { path: '/contacts/new', name: 'New contact', icon: ContactRound },
  { path: '/numbers', name: 'Numbers', icon: Hash },
  { path: '/team', name: 'Team', icon: UsersRound },
  { path: '/reports', name: 'Reports', icon: ChartColumn },
  ...(isAdmin ? [{ path: '/webhooks', name: 'Webhooks', icon: Webhook }] : []),
  { path: '/settings', name: 'Settings', icon: SlidersHorizontal },
];
