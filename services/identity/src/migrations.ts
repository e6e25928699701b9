import { type Migration, setMissing } from '@parley/mongo';

export const migrations: readonly Migration[] = [
  {
    name: '0.3.0',
    async run(db) {
      const accounts = db.collection('accounts');
      await accounts.updateMany({ notes: { $exists: true } }, [
        { $set: { notifications: { $ifNull: ['$notifications', '$notes'] }, _version: { $add: ['$_version', 1] } } },
        { $unset: 'notes' },
      ]);
      await setMissing(db, 'accounts', {
        emailVersion: 0,
        unconfirmedEmail: null,
        directoryRevision: 0,
        firstSignInAt: null,
        passwordReset: null,
        threadMails: [],
        notifications: [],
        due: null,
      });
      // Older than every session.
      await accounts.updateMany(
        { 'twoFactor.secret': { $exists: true }, 'twoFactor.enrolledAt': { $exists: false } },
        { $set: { 'twoFactor.enrolledAt': new Date(0) }, $inc: { _version: 1 } },
      );
      // It was kept for five seconds.
      await db.collection('grants').updateMany({ sharedAnswer: { $exists: true } }, { $unset: { sharedAnswer: 1 } });
      await setMissing(db, 'grants', { clientName: '', lastUsedAt: null });
      await setMissing(db, 'api_keys', { lastUsedAt: null });
      await setMissing(db, 'sessions', { enteredCode: false });
      await setMissing(db, 'company_rules', { suspended: false });
      await setMissing(db, 'invitation_mails', { emailVersion: 0 });
    },
  },
];
