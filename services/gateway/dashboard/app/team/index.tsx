import type { ReactNode } from 'react';
import { Route, Switch } from 'wouter';
import { NotFound } from '../ui/not-found.tsx';
import { Team } from './team.tsx';

export default function TeamPages(): ReactNode {
  return (
    <Switch>
      <Route path="/" component={Team} />
      <Route component={NotFound} />
    </Switch>
  );
}
