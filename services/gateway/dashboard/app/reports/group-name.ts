import { t } from '../i18n/translate.ts';
import type { Group } from './report-queries.ts';

export function groupName(group: Group): string {
  return {
    day: t('day'),
    weekday: t('weekday'),
    hour_of_day: t('hour of the day'),
    business_number: t('number'),
    employee: t('employee'),
  }[group];
}
