import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { businessNumbersQuery, employeesQuery } from '../api/shared-queries.ts';
import { phoneText } from '../i18n/phone-number.ts';
import { t } from '../i18n/translate.ts';
import { isAdmin } from '../session.ts';
import { DownloadLink } from '../ui/button.tsx';
import { SelectField } from '../ui/field.tsx';
import { Page } from '../ui/page.tsx';
import { PeriodField } from '../ui/period-field.tsx';
import { Segments } from '../ui/segments.tsx';
import { type Filters, useFilters } from '../ui/use-filters.ts';
import { CallReport } from './call-report.tsx';
import type { Names } from './chart-row.ts';
import { groupName } from './report-parts.tsx';
import { MessageFigures, MessageReport } from './message-report.tsx';
import { ReportAside } from './report-aside.tsx';
import { CallFigures } from './report-figures.tsx';
import { lastDays, periodOf, type ReportPeriod, USUAL_DAYS, usualDays } from './report-period.ts';
import { exportAddress, GROUPS, type ReportScope } from './report-queries.ts';
import styles from './reports-page.module.css';
import { useReportZone } from './use-report-zone.ts';

/** What is counted. */
const SUBJECTS = ['calls', 'texts'] as const;

export default function ReportsPage(): ReactNode {
  const filters = useFilters();
  const scope = scopeOf(filters);
  const period = periodOf(filters.get('from'), filters.get('to'), useReportZone());
  const names = useNames();
  const subject = SUBJECTS.find((one) => one === filters.get('show')) ?? 'calls';
  return (
    <Page
      title={t('Reports')}
      beside={
        <Segments
          label={t('What is counted')}
          options={SUBJECTS.map((value) => ({ value, name: value === 'calls' ? t('Calls') : t('Texts') }))}
          value={subject}
          onChange={(value) => filters.set({ show: value === 'calls' ? '' : value })}
        />
      }
      actions={
        isAdmin && subject === 'calls' && <DownloadLink href={exportAddress(period, scope)}>{t('CSV')}</DownloadLink>
      }
      toolbar={<ReportFilters filters={filters} period={period} scope={scope} subject={subject} />}
      strip={
        subject === 'calls' ? (
          <CallFigures period={period} scope={scope} />
        ) : (
          <MessageFigures period={period} scope={scope} />
        )
      }
      aside={subject === 'calls' && <ReportAside period={period} scope={scope} names={names} />}
    >
      {subject === 'calls' ? (
        <CallReport period={period} scope={scope} names={names} />
      ) : (
        <MessageReport period={period} scope={scope} names={names} />
      )}
    </Page>
  );
}

function ReportFilters(props: {
  filters: Filters;
  period: ReportPeriod;
  scope: ReportScope;
  subject: (typeof SUBJECTS)[number];
}): ReactNode {
  const { filters, period, scope } = props;
  const numbers = useQuery(businessNumbersQuery);
  const chip = (name: string, value: string) => ({
    look: 'chip' as const,
    hideLabel: true,
    value,
    onChange: (event: { target: { value: string } }) => filters.set({ [name]: event.target.value }),
  });
  return (
    <>
      <PeriodChoice filters={filters} period={period} />
      <SelectField label={t('Group by')} {...chip('group_by', scope.group)}>
        {GROUPS.map((group) => (
          <option key={group} value={group}>
            {t('By {group}', { group: groupName(group) })}
          </option>
        ))}
      </SelectField>
      {props.subject === 'calls' && (
        <SelectField label={t('Direction')} {...chip('direction', scope.direction)}>
          <option value="">{t('All calls')}</option>
          <option value="inbound">{t('Incoming')}</option>
          <option value="outbound">{t('Outgoing')}</option>
        </SelectField>
      )}
      <SelectField label={t('Business number')} {...chip('business_number_id', scope.businessNumberId)}>
        <option value="">{t('Any number')}</option>
        {numbers.data?.map(({ id, name, number }) => (
          <option key={id} value={id}>
            {name || phoneText(number)}
          </option>
        ))}
      </SelectField>
      {!isAdmin && <span className={styles['own']}>{t('Calls that you took part in.')}</span>}
    </>
  );
}

function PeriodChoice({ filters, period }: { filters: Filters; period: ReportPeriod }): ReactNode {
  const usual = usualDays(period);
  const [choosesDays, setChoosesDays] = useState(false);
  const shown = choosesDays ? 'days' : String(usual ?? 'days');
  const setDays = ({ from, to }: Pick<ReportPeriod, 'from' | 'to'>) => filters.set({ from, to });
  function choose(chosen: string): void {
    setChoosesDays(chosen === 'days');
    if (chosen !== 'days') setDays(lastDays(Number(chosen), period.timezone));
  }
  return (
    <PeriodField
      usual={USUAL_DAYS.map((count) => ({ name: String(count), text: t('Last {count} days', { count }) }))}
      value={shown}
      days={period}
      onChange={choose}
      onChangeDays={(days) => {
        // A report has a first and a last day.
        if (Object.values(days).includes('')) return;
        setChoosesDays(true);
        setDays({ ...period, ...days });
      }}
    />
  );
}

function scopeOf(filters: Filters): ReportScope {
  const direction = filters.get('direction');
  return {
    group: GROUPS.find((group) => group === filters.get('group_by')) ?? 'day',
    businessNumberId: filters.get('business_number_id'),
    direction: direction === 'inbound' || direction === 'outbound' ? direction : '',
  };
}

/** The names of numbers and employees by their ids. */
function useNames(): Names {
  const { data: numbers = [] } = useQuery(businessNumbersQuery);
  const { data: employees = [] } = useQuery(employeesQuery);
  return new Map([
    ...numbers.map(({ id, name, number }) => [id, name || phoneText(number)] as const),
    ...employees.map(({ id, name }) => [id, name] as const),
  ]);
}
