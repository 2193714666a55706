import type { Tool } from './tool.ts';

const endings = ['py', 'pyi'];

/**
 * Every Python loads these before the program starts. Modules with a runner's name are found before the installed ones, since `python -m` looks into the
 * working folder first.
 */
const STARTUP = ['sitecustomize.py', 'usercustomize.py', '*.pth', '.coveragerc', 'pyvenv.cfg'];
const shadows = (...modules: readonly string[]) => modules.flatMap((name) => [`${name}.py`, `${name}/__init__.py`, `${name}/__main__.py`]);
const SECTIONS = ['coverage', 'tool.coverage', 'tool'];

export const pythonTools: readonly Tool[] = [
  {
    name: 'pytest',
    starts: ['pytest', 'py.test', 'python -m pytest', 'coverage run -m pytest'],
    chooses: ['-k', '-m', '--lf', '--last-failed', '--deselect', '--testmon', '--picked'],
    configuration: [
      ...['pytest.ini', '.pytest.ini', 'pytest.toml', '.pytest.toml', 'conftest.py', 'pyproject.toml', 'setup.cfg', 'tox.ini', ...STARTUP],
      // Entry points of a distribution in the working folder are plugins.
      ...['*.egg-info/**', '*.dist-info/**'],
      ...shadows('pytest', '_pytest', 'pluggy', 'iniconfig'),
    ],
    tests: ['**/test_*.py', '**/*_test.py'],
    sections: [...SECTIONS, 'pytest', 'tool.pytest', 'tool:pytest', 'tool.pytest_env', 'project.entry-points'],
    suppressions: ['pragma: no cover', 'pragma: no branch'],
    endings,
    options: ['--rootdir', '--confcutdir', '--cov-config'],
  },
  {
    name: 'unittest',
    starts: ['python -m unittest', 'coverage run -m unittest', 'nose2', 'python manage.py test', 'django-admin test'],
    chooses: ['-k', '--tag'],
    configuration: ['pyproject.toml', 'setup.cfg', 'unittest.cfg', 'nose2.cfg', ...STARTUP, ...shadows('unittest')],
    tests: ['**/test*.py'],
    sections: [...SECTIONS, 'unittest'],
    suppressions: ['pragma: no cover', 'pragma: no branch'],
    endings,
  },
  { name: 'python', starts: ['python'], configuration: STARTUP, tests: [] },
  {
    name: 'ruff',
    starts: ['ruff', 'python -m ruff', 'black', 'isort', 'python -m black', 'python -m isort'],
    configuration: [
      'ruff.toml',
      '.ruff.toml',
      '.gitignore',
      '.ignore',
      'pyproject.toml',
      '.isort.cfg',
      'setup.cfg',
      '.editorconfig',
      ...shadows('ruff', 'black', 'isort'),
    ],
    tests: [],
    sections: ['tool', 'tool.ruff', 'tool.black', 'tool.isort', 'isort'],
    suppressions: ['noqa', 'ruff: noqa', 'ruff: disable', 'fmt: off', 'fmt: skip', 'isort: skip', 'isort:skip', 'isort: off', 'yapf: disable'],
    endings,
  },
  {
    name: 'mypy',
    starts: ['mypy', 'dmypy', 'python -m mypy', 'pyright', 'basedpyright', 'ty check', 'pytype'],
    configuration: ['mypy.ini', '.mypy.ini', 'pyproject.toml', 'setup.cfg', 'pyrightconfig.json', '.basedpyright/baseline.json', 'ty.toml', ...shadows('mypy')],
    tests: [],
    sections: ['tool', 'tool.mypy', 'mypy', 'tool.pyright', 'tool.basedpyright', 'tool.ty', 'tool.pytype'],
    suppressions: ['type: ignore', 'type:ignore', 'mypy:', 'pyright:', 'ty: ignore', 'pytype: '],
    endings,
  },
  {
    name: 'flake8',
    starts: ['flake8', 'python -m flake8', 'pycodestyle', 'pyflakes'],
    configuration: ['.flake8', 'setup.cfg', 'tox.ini', ...shadows('flake8')],
    tests: [],
    sections: ['flake8', 'pycodestyle'],
    suppressions: ['noqa', 'flake8: noqa'],
    endings,
  },
  {
    name: 'pylint',
    starts: ['pylint', 'python -m pylint', 'bandit'],
    configuration: ['.pylintrc', 'pylintrc', '.pylintrc.toml', 'pylintrc.toml', 'pyproject.toml', 'setup.cfg', 'tox.ini', '.bandit', ...shadows('pylint')],
    tests: [],
    sections: ['tool', 'tool.pylint', 'pylint', 'tool.bandit', 'bandit'],
    suppressions: ['pylint: disable', 'pylint:disable', 'pylint: skip-file', 'nosec'],
    endings,
  },
  {
    name: 'tox',
    starts: ['tox', 'python -m tox'],
    configuration: ['tox.ini', 'tox.toml', 'setup.cfg', 'pyproject.toml', ...shadows('tox')],
    tests: [],
    sections: ['tox', 'testenv', 'tool.tox', 'tool'],
  },
  { name: 'nox', starts: ['nox', 'python -m nox'], configuration: ['noxfile.py', ...shadows('nox')], tests: [] },
];
