import type { BusinessNumber } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';

/** The registration of the number in words; empty where none is needed. */
export function registrationText(number: Pick<BusinessNumber, 'registration_status' | 'registration_due_at'>): string {
  const due = number.registration_due_at;
  switch (number.registration_status) {
    case 'not_required':
      return '';
    case 'pending':
      return due ? t('Registration is needed by {day}', { day: due.slice(0, 10) }) : t('Registration is needed');
    case 'submitted':
      return t('Registration is being reviewed');
    case 'approved':
      return t('Registered');
    case 'rejected':
      return t('Registration was rejected by the carrier');
    case 'failed':
      return t('Registration could not be submitted: complete your company’s details');
  }
}
