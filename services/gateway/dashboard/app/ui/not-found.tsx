import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Page } from './page.tsx';

/** For an address that does not exist, or not for this company. */
export function NotFound(): ReactNode {
  return (
    <Page title="Not found">
      <p>There is nothing at this address. It may have been removed.</p>
      <p>
        <Link href="~/dashboard/inbox">Go to the inbox</Link>
      </p>
    </Page>
  );
}
