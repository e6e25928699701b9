import { type ComponentType, lazy } from 'react';
import { isAdmin, session } from '../session.ts';

/** A part of the dashboard with a link in the navigation. Its code is loaded when it is visited. */
export interface Section {
  readonly path: string;
  readonly name: string;
  readonly Pages: ComponentType;
}

export const sections: readonly Section[] = [
  { path: '/inbox', name: 'Inbox', Pages: lazy(() => import('../inbox/index.tsx')) },
  { path: '/calls', name: 'Calls', Pages: lazy(() => import('../calls/index.tsx')) },
  { path: '/contacts', name: 'Contacts', Pages: lazy(() => import('../contacts/index.tsx')) },
  { path: '/numbers', name: 'Numbers', Pages: lazy(() => import('../numbers/index.tsx')) },
  { path: '/team', name: 'Team', Pages: lazy(() => import('../team/index.tsx')) },
  ...(isAdmin ? [{ path: '/webhooks', name: 'Webhooks', Pages: lazy(() => import('../webhooks/index.tsx')) }] : []),
  { path: '/settings', name: 'Settings', Pages: lazy(() => import('../settings/index.tsx')) },
  ...(session.sandboxUrl === null
    ? []
    : [{ path: '/sandbox', name: 'Sandbox', Pages: lazy(() => import('../sandbox/index.tsx')) }]),
];
