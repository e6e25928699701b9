import { t } from '../i18n/translate.ts';
import type { Group } from './report-queries.ts';

export function groupName(group: Group): string {
  switch (group) {
    case 'day':
      return t('day');
    case 'weekday':
      return t('weekday');
    case 'hour_of_day':
      return t('hour of the day');
    case 'business_number':
      return t('number');
    case 'employee':
      return t('employee');
  }
}
