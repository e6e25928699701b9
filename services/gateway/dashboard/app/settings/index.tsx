import { useQuery } from '@tanstack/react-query';
import type { FormEvent, ReactNode } from 'react';
import { Link, Route, Switch } from 'wouter';
import { api, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { Company } from '../api/schema.d.ts';
import { isAdmin, isOwner } from '../session.ts';
import { announce } from '../ui/announcements.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { NotFound } from '../ui/not-found.tsx';
import { Page } from '../ui/page.tsx';
import { FormFailure } from '../ui/form-failure.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { UnsavedNotice } from '../ui/unsaved-notice.tsx';
import { useSubmit } from '../ui/use-submit.ts';

const ACCOUNT_PAGES = [
  ['/api-keys', 'API keys', 'For programs that use the API on your behalf.'],
  ['/connected-apps', 'Connected apps', 'Apps that you have allowed to act for you.'],
  ['/security', 'Security', 'Two-factor authentication.'],
  ['/sessions', 'Sessions', 'Where you are signed in.'],
  ['/password', 'Password', 'Change your password.'],
] as const;

export default function SettingsPages(): ReactNode {
  return (
    <Switch>
      <Route path="/" component={Settings} />
      <Route component={NotFound} />
    </Switch>
  );
}

function Settings(): ReactNode {
  const company = useQuery({
    queryKey: queryKeys.company,
    queryFn: ({ signal }) => ok(api.GET('/api/v1/company', { signal })),
  });
  return (
    <Page title="Settings">
      <section aria-labelledby="account">
        <h2 id="account">Your account</h2>
        <ul className="list">
          {ACCOUNT_PAGES.map(([path, name, description]) => (
            <li key={path}>
              <Link href={`~/dashboard${path}`}>{name}</Link>
              <span className="soft"> {description}</span>
            </li>
          ))}
        </ul>
      </section>
      {isAdmin && (
        <section aria-labelledby="company">
          <h2 id="company">{company.data?.name ?? 'Company'}</h2>
          <QueryState query={company} what="company">
            {(data) => <CompanyForm company={data} />}
          </QueryState>
        </section>
      )}
    </Page>
  );
}

const COMPANY_FIELDS = [
  ['address', 'Address'],
  ['zip', 'Postal code'],
  ['city', 'City'],
  ['state', 'State'],
  ['vat_id', 'VAT number'],
] as const satisfies readonly (readonly [keyof Company, string])[];

/** The API accepts the EU and EEA, GB, CH, US, CA, AU, NZ. */
const COUNTRIES =
  'AT AU BE BG CA CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MT NL NO NZ PL PT RO SE SI SK US'.split(
    ' ',
  );
const countryName = new Intl.DisplayNames('en', { type: 'region' });

function CompanyForm({ company }: { company: Company }): ReactNode {
  const { submit, pending, errorsOf, error, form, unsaved } = useSubmit(
    (body: Partial<Company>) => ok(api.PATCH('/api/v1/company', { body })),
    (saved) => {
      queryClient.setQueryData(queryKeys.company, saved);
      announce('Company saved.');
    },
    { keepAs: 'company' },
  );
  function save(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const values = COMPANY_FIELDS.map(([name]) => [name, String(typed.get(name) ?? '').trim() || null]);
    const country = String(typed.get('country'));
    const rule = isOwner ? { requires_two_factor: typed.has('requires_two_factor') } : {};
    submit({ ...Object.fromEntries(values), country, ...rule });
  }
  return (
    <form ref={form} onSubmit={save} noValidate>
      <FormFailure error={error} form={form} />
      {COMPANY_FIELDS.map(([name, label]) => (
        <TextField key={name} name={name} label={label} defaultValue={company[name] ?? ''} errors={errorsOf(name)} />
      ))}
      <SelectField name="country" label="Country" defaultValue={company.country} errors={errorsOf('country')}>
        {COUNTRIES.map((code) => (
          <option key={code} value={code}>
            {countryName.of(code)}
          </option>
        ))}
      </SelectField>
      {isOwner && (
        <p>
          <label className="check">
            <input type="checkbox" name="requires_two_factor" defaultChecked={company.requires_two_factor} />
            Every employee must use two-factor authentication
          </label>
        </p>
      )}
      <div className="actions">
        <button disabled={pending}>Save</button>
        <UnsavedNotice unsaved={unsaved} />
      </div>
    </form>
  );
}
