import type { BusinessNumber } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';

/** The registration of the number in words; empty where none is needed. */
export function registrationText(number: Pick<BusinessNumber, 'registration_status' | 'registration_due_at'>): string {
  const due = number.registration_due_at;
  const texts: Readonly<Record<BusinessNumber['registration_status'], string>> = {
    not_required: '',
    pending: due ? t('Registration is needed by {day}', { day: due.slice(0, 10) }) : t('Registration is needed'),
    submitted: t('Registration is being reviewed'),
    approved: t('Registered'),
    rejected: t('Registration was rejected by the carrier'),
    failed: t('Registration could not be submitted: complete your company’s details'),
  };
  return texts[number.registration_status];
}
