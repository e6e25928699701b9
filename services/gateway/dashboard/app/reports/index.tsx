import type { ReactNode } from 'react';
import { Route, Switch } from 'wouter';
import { NotFound } from '../ui/not-found.tsx';
import { ReportsPage } from './reports-page.tsx';

export default function ReportPages(): ReactNode {
  return (
    <Switch>
      <Route path="/" component={ReportsPage} />
      <Route component={NotFound} />
    </Switch>
  );
}
