import type { ReactNode } from 'react';
import { Link, Route, Switch } from 'wouter';
import { NotFound } from '../ui/not-found.tsx';
import { Page } from '../ui/page.tsx';
import { CallSection } from './call-section.tsx';
import { ClockSection } from './clock-section.tsx';
import { CustomerPhoneSection } from './customer-phone-section.tsx';
import { FaultsSection } from './faults-section.tsx';
import { TextSection } from './text-section.tsx';

export default function SandboxPages(): ReactNode {
  return (
    <Switch>
      <Route path="/" component={Sandbox} />
      <Route component={NotFound} />
    </Switch>
  );
}

function Sandbox(): ReactNode {
  return (
    <Page title="Sandbox">
      <p>
        A telephone network to try things with: nothing here reaches a real phone. First press{' '}
        <em>Call a business number</em>: you see what the customer hears, and can speak or press keys for them.
      </p>
      <p>
        To answer yourself, switch on <em>Available for calls</em> in the phone, and call within the business hours of
        the <Link href="~/dashboard/numbers">number</Link>. Texts appear in the{' '}
        <Link href="~/dashboard/inbox">inbox</Link>.
      </p>
      <div className="sandbox">
        <div>
          <CallSection />
          <CustomerPhoneSection />
        </div>
        <div>
          <TextSection />
          <ClockSection />
          <FaultsSection />
        </div>
      </div>
    </Page>
  );
}
