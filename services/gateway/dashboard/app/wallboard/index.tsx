import type { ReactNode } from 'react';
import { Route, Switch } from 'wouter';
import { NotFound } from '../ui/not-found.tsx';
import { Wallboard } from './wallboard.tsx';

export default function WallboardPages(): ReactNode {
  return (
    <Switch>
      <Route path="/" component={Wallboard} />
      <Route component={NotFound} />
    </Switch>
  );
}
