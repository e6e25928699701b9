import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { businessNumbersQuery } from '../api/shared-queries.ts';
import { t } from '../i18n/translate.ts';
import { phoneText } from '../i18n/phone-number.ts';
import { Button } from '../ui/button.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { X } from '../ui/icons/index.ts';
import { PeriodField } from '../ui/period-field.tsx';
import { type Filters, useTextFilter } from '../ui/use-filters.ts';
import styles from './call-filter-bar.module.css';
import { CALL_FILTERS, type CallFilter } from './call-query.ts';
import { CALL_STATES, stateText } from './call-text.ts';
import { periodName, periodOf, type PeriodName } from './period.ts';

const NO_FILTERS = Object.fromEntries(CALL_FILTERS.map((name) => [name, '']));

/** The filters of the list of calls, as chips. */
export function CallFilterBar({ filters }: { filters: Filters }): ReactNode {
  const [phone, setPhone] = useTextFilter(filters, 'phone_number');
  const numbers = useQuery(businessNumbersQuery);
  const chip = (name: CallFilter) => ({
    look: 'chip' as const,
    hideLabel: true,
    value: filters.get(name),
    onChange: (event: { target: { value: string } }) => filters.set({ [name]: event.target.value }),
  });
  const isFiltered = CALL_FILTERS.some((name) => filters.get(name) !== '');
  return (
    <>
      <SelectField label={t('Direction')} {...chip('direction')}>
        <option value="">{t('All calls')}</option>
        <option value="inbound">{t('Incoming')}</option>
        <option value="outbound">{t('Outgoing')}</option>
      </SelectField>
      <SelectField label={t('Business number')} {...chip('main_number_id')}>
        <option value="">{t('Any number')}</option>
        {numbers.data?.map(({ id, name, number }) => (
          <option key={id} value={id}>
            {name || phoneText(number)}
          </option>
        ))}
      </SelectField>
      <SelectField label={t('Status')} {...chip('state')}>
        <option value="">{t('Any status')}</option>
        {CALL_STATES.map((state) => (
          <option key={state} value={state}>
            {stateText(state)}
          </option>
        ))}
      </SelectField>
      {filters.get('tag') !== '' && (
        <Button size="s" icon={X} onPress={() => filters.set({ tag: '' })}>
          {t('Tag: {tag}', { tag: filters.get('tag') })}
        </Button>
      )}
      <PeriodChoice filters={filters} />
      <div className={styles['phone']}>
        <TextField
          label={t('Phone number')}
          hideLabel
          placeholder={t('Phone number')}
          type="tel"
          maxLength={40}
          value={phone}
          onChange={(event) => setPhone(event.target.value)}
        />
      </div>
      {isFiltered && (
        <Button variant="ghost" size="s" onPress={() => filters.set(NO_FILTERS)}>
          {t('Clear filters')}
        </Button>
      )}
    </>
  );
}

function PeriodChoice({ filters }: { filters: Filters }): ReactNode {
  const period = { from: filters.get('from'), to: filters.get('to') };
  const name = periodName(period);
  const [choosesDays, setChoosesDays] = useState(name === 'days');
  const shown = choosesDays ? 'days' : name;
  function choose(chosen: string): void {
    setChoosesDays(chosen === 'days');
    if (chosen === 'any') filters.set({ from: '', to: '' });
    else if (chosen !== 'days') filters.set({ ...periodOf(chosen as PeriodName) });
  }
  return (
    <PeriodField
      usual={[
        { name: 'any', text: t('Any time') },
        { name: 'today', text: t('Today') },
        { name: 'week', text: t('Last 7 days') },
        { name: 'month', text: t('Last 30 days') },
      ]}
      value={shown}
      days={period}
      emptyText={t('Any day')}
      onChange={choose}
      onChangeDays={(days) => filters.set(days)}
    />
  );
}
