import type { ReactNode } from 'react';
import { Route, Switch } from 'wouter';
import { NotFound } from '../../ui/not-found.tsx';
import { ApiKeys } from './api-keys.tsx';
import { ConnectedApps } from './connected-apps.tsx';
import { NewAddressPage } from './new-address.tsx';
import { Password } from './password.tsx';
import { SecurityPage } from './security.tsx';
import { Sessions } from './sessions.tsx';

/** Pages of one's own account, and the confirmation of a coworker's address. */
export default function AccountPages(): ReactNode {
  return (
    <Switch>
      <Route path="/api-keys" component={ApiKeys} />
      <Route path="/connected-apps" component={ConnectedApps} />
      <Route path="/sessions" component={Sessions} />
      <Route path="/security" component={SecurityPage} />
      <Route path="/password" component={Password} />
      <Route path="/addresses/:id" component={NewAddressPage} />
      <Route component={NotFound} />
    </Switch>
  );
}
