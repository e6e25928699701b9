import type { BusinessNumber } from '../api/schema.d.ts';

/** The registration of the number in words; empty where none is needed. */
export function registrationText(number: Pick<BusinessNumber, 'registration_status' | 'registration_due_at'>): string {
  const due = number.registration_due_at;
  switch (number.registration_status) {
    case 'not_required':
      return '';
    case 'pending':
      return due ? `Registration is needed by ${due.slice(0, 10)}` : 'Registration is needed';
    case 'submitted':
      return 'Registration is being reviewed';
    case 'approved':
      return 'Registered';
    case 'rejected':
      return 'Registration was rejected by the carrier';
    case 'failed':
      return 'Registration could not be submitted: complete your company’s details';
  }
}
