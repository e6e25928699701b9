import type { ReactNode } from 'react';
import { Route, Switch } from 'wouter';
import { NotFound } from '../ui/not-found.tsx';
import { InboxLayout } from './inbox-layout.tsx';
import { Conversation } from './conversation.tsx';
import { decodePath } from './thread-path.ts';

export default function InboxPages(): ReactNode {
  return (
    <Switch>
      <Route path="/">
        <InboxLayout phoneNumber={undefined} />
      </Route>
      <Route path="/:phoneNumber">
        {({ phoneNumber }) => (
          <InboxLayout phoneNumber={decodePath(phoneNumber)}>
            <Conversation key={phoneNumber} path={phoneNumber} />
          </InboxLayout>
        )}
      </Route>
      <Route component={NotFound} />
    </Switch>
  );
}
