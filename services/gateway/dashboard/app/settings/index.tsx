import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode } from 'react';
import { Route, Switch } from 'wouter';
import { api, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { companyQuery } from '../api/shared-queries.ts';
import type { Company } from '../api/schema.d.ts';
import { countryName } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { isAdmin, isOwner } from '../session.ts';
import { announce } from '../ui/announcements.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Fields, Form, textIn } from '../ui/form.tsx';
import { NotFound } from '../ui/not-found.tsx';
import { Section } from '../ui/page.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { ActivityLog } from './activity/activity-log.tsx';
import { Developers } from './developers.tsx';
import { NotificationSettings } from './notifications.tsx';
import { PhoneSettings } from './phone/phone-settings.tsx';
import { Privacy } from './privacy/privacy.tsx';
import { SettingsPage } from './settings-page.tsx';
import { SupervisionNotice, SupervisionSection } from './supervision.tsx';

/** Code that the other pages do not need. */
const ModelSettings = lazy(() => import('./model/model.tsx'));

export default function SettingsPages(): ReactNode {
  return (
    <Switch>
      <Route path="/" component={Settings} />
      <Route path="/phone" component={PhoneSettings} />
      <Route path="/notifications" component={NotificationSettings} />
      {isAdmin && <Route path="/activity" component={ActivityLog} />}
      {isAdmin && <Route path="/model" component={ModelSettings} />}
      {isAdmin && <Route path="/privacy" component={Privacy} />}
      {isAdmin && <Route path="/developers" component={Developers} />}
      <Route component={NotFound} />
    </Switch>
  );
}

function Settings(): ReactNode {
  const company = useQuery(companyQuery);
  return (
    <SettingsPage title={t('Settings')} path="/settings">
      {isAdmin ? (
        <>
          <Section
            title={company.data?.name ?? t('Company')}
            description={t('On invoices, and for the registration of numbers.')}
          >
            <QueryState query={company}>{(data) => <CompanyForm company={data} />}</QueryState>
          </Section>
          {company.data && <SupervisionSection company={company.data} />}
        </>
      ) : (
        <>
          <Section title={t('Your account')}>
            <p>{t('The company’s settings are for its admins. Yours are in the list.')}</p>
          </Section>
          <SupervisionNotice />
        </>
      )}
    </SettingsPage>
  );
}

const companyFields = () =>
  [
    ['address', t('Address')],
    ['zip', t('Postal code')],
    ['city', t('City')],
    ['state', t('State')],
    ['vat_id', t('VAT number')],
  ] as const satisfies readonly (readonly [keyof Company, string])[];

/** The API accepts the EU and EEA, GB, CH, US, CA, AU, NZ. */
const COUNTRIES =
  'AT AU BE BG CA CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MT NL NO NZ PL PT RO SE SI SK US'.split(
    ' ',
  );

function CompanyForm({ company }: { company: Company }): ReactNode {
  const sending = useSubmit(
    (body: Partial<Company>) => ok(api.PATCH('/api/v1/company', { body })),
    (saved) => {
      queryClient.setQueryData(queryKeys.company, saved);
      announce(t('Company saved.'));
    },
    { storeEditsAs: 'company' },
  );
  const { errorsOf } = sending;
  function save(typed: FormData): void {
    const values = companyFields().map(([name]) => [name, textIn(typed, name) || null]);
    const rule = isOwner ? { requires_two_factor: typed.has('requires_two_factor') } : {};
    sending.submit({ ...Object.fromEntries(values), country: textIn(typed, 'country'), ...rule });
  }
  return (
    <Form sending={sending} onSubmit={save} submitLabel={t('Save')}>
      <Fields areShort>
        {companyFields().map(([name, label]) => (
          <TextField key={name} name={name} label={label} defaultValue={company[name] ?? ''} errors={errorsOf(name)} />
        ))}
        <SelectField name="country" label={t('Country')} defaultValue={company.country} errors={errorsOf('country')}>
          {COUNTRIES.map((code) => (
            <option key={code} value={code}>
              {countryName(code)}
            </option>
          ))}
        </SelectField>
        {isOwner && (
          <Checkbox
            name="requires_two_factor"
            label={t('Every employee must use two-factor authentication')}
            defaultChecked={company.requires_two_factor}
          />
        )}
      </Fields>
    </Form>
  );
}
