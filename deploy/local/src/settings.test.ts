import { describe, expect, it } from '@jest/globals';
import { readSettings } from './settings.ts';

describe('the settings of npm start', () => {
  it('the settings of npm start have defaults, also for empty variables', () => {
    const defaults = {
      only: [],
      port: 8080,
      dataDir: '/checkout/.parley',
      seed: 'demo',
      processes: 'one',
      replicas: 1,
    };
    expect(readSettings({}, '/checkout')).toEqual(defaults);
    expect(readSettings({ PARLEY_PORT: '', PARLEY_SEED: '', MONGODB_URL: '' }, '/checkout')).toEqual(defaults);
  });

  it('the settings of npm start are taken from the environment', () => {
    const env = {
      PARLEY_PORT: '9000',
      PARLEY_METRICS_PORT: '9464',
      PARLEY_DATA_DIR: '/data',
      MONGODB_URL: 'mongodb://db',
      NATS_URL: 'nats://broker',
      PARLEY_SEED: 'none',
      PARLEY_PROCESSES: 'separate',
      PARLEY_REPLICAS: '2',
      PARLEY_REPLICATED: 'gateway,call-control',
      PARLEY_SWITCH: 'esl://parley:secret@10.0.0.5:8021',
      SWITCH_LISTEN: '0.0.0.0:9003',
      SWITCH_HTTP_URL: 'http://10.0.0.4:9003',
      SWITCH_RECORDINGS_DIR: '/recordings',
    };
    expect(readSettings(env, '/checkout')).toEqual({
      only: [],
      port: 9000,
      metricsPort: 9464,
      dataDir: '/data',
      mongoUrl: 'mongodb://db',
      natsUrl: 'nats://broker',
      seed: 'none',
      processes: 'separate',
      replicas: 2,
      replicated: ['call-control', 'gateway'],
      realSwitch: {
        url: 'esl://parley:secret@10.0.0.5:8021',
        listen: '0.0.0.0:9003',
        httpUrl: 'http://10.0.0.4:9003',
        recordingsDir: '/recordings',
      },
    });
  });

  it.each(['0', '65534', '-1', '80a', '8080.5', ' '])('the settings of npm start do not take %j for a port', (port) => {
    expect(() => readSettings({ PARLEY_PORT: port }, '/')).toThrow(`PARLEY_PORT must be 1 to 65500, not '${port}'`);
  });

  it('the settings of npm start select services, which then have their own data and ports', () => {
    expect(readSettings({}, '/checkout', ['gateway', 'directory'])).toMatchObject({
      only: ['directory', 'gateway'],
      port: 8180,
      dataDir: '/checkout/.parley/only/directory+gateway',
    });
    expect(() => readSettings({}, '/', ['telephone'])).toThrow("there is no service 'telephone'; there are sandbox,");
  });

  it('the settings of npm start do not take anything else for a switch', () => {
    expect(() => readSettings({ PARLEY_SWITCH: 'http://switch' }, '/')).toThrow('PARLEY_SWITCH must look like esl://');
  });

  it('the settings of npm start list the choices when a value is unknown', () => {
    expect(() => readSettings({ PARLEY_SEED: 'some' }, '/')).toThrow("PARLEY_SEED must be demo or none, not 'some'");
    expect(() => readSettings({ PARLEY_PROCESSES: '9' }, '/')).toThrow(
      "PARLEY_PROCESSES must be one or separate, not '9'",
    );
  });
});
