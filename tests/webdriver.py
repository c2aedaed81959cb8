# SPDX-License-Identifier: MIT
"""A browser for tests: headless Chromium by the WebDriver protocol (W3C), in as much as they need."""
import base64
import http.client
import json
import re
import shutil
import subprocess

from patience import WAIT_S

KEYS = {'Right': '\ue014', 'Left': '\ue012', 'Up': '\ue013', 'Down': '\ue015', 'Home': '\ue011', 'End': '\ue010',
        'Enter': '\ue007', 'Escape': '\ue00c', 'Tab': '\ue004', 'Shift': '\ue008', 'Space': ' '}
ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'


def missing():
    """Names the first program that is not installed, or None."""
    for program in ('chromedriver', 'chromium'):
        if not shutil.which(program):
            return program
    return None


class Browser:
    """Use it in a `with` statement: the driver and its browser end with it."""

    def __init__(self, *options, width=1280, height=800):
        self.driver = subprocess.Popen(['chromedriver', '--port=0'], stdout=subprocess.PIPE, text=True,
                                       stderr=subprocess.DEVNULL)
        self.port = None
        for line in self.driver.stdout:
            found = re.search(r'started successfully on port (\d+)', line)
            if found:
                self.port = int(found[1])
                break
        self.session = None
        arguments = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage',
                     '--hide-scrollbars', '--force-color-profile=srgb', f'--window-size={width},{height}', *options]
        made = self.ask('POST', '/session', {'capabilities': {'alwaysMatch': {
            'browserName': 'chrome',
            'goog:chromeOptions': {'args': arguments, 'binary': shutil.which('chromium')},
            'goog:loggingPrefs': {'browser': 'ALL', 'performance': 'ALL'},
        }}})
        self.session = made['sessionId']

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        try:
            if self.session:
                self.ask('DELETE', '')
        finally:
            self.driver.terminate()
            self.driver.wait(timeout=WAIT_S)

    def ask(self, method, path, body=None):
        connection = http.client.HTTPConnection('127.0.0.1', self.port, timeout=WAIT_S)
        if self.session:
            path = f'/session/{self.session}{path}'
        connection.request(method, path, None if method != 'POST' else json.dumps(body or {}),
                           {'Content-Type': 'application/json'})
        answer = json.loads(connection.getresponse().read())
        connection.close()
        if isinstance(answer['value'], dict) and 'error' in answer['value']:
            raise RuntimeError(f"{method} {path}: {answer['value']['error']}: {answer['value']['message']}")
        return answer['value']

    def open(self, path):
        """Loads the page, also where only what is behind the # differs."""
        self.ask('POST', '/url', {'url': 'about:blank'})
        self.ask('POST', '/url', {'url': f'file://{path}'})

    def run(self, script, *arguments):
        """A script's result; it ends with `return`."""
        return self.ask('POST', '/execute/sync', {'script': script, 'args': list(arguments)})

    def cdp(self, command, **parameters):
        return self.ask('POST', '/goog/cdp/execute', {'cmd': command, 'params': parameters})

    def find(self, selector):
        return [found[ELEMENT] for found in self.ask('POST', '/elements', {'using': 'css selector', 'value': selector})]

    def role(self, element):
        return self.ask('GET', f'/element/{element}/computedrole')

    def label(self, element):
        return self.ask('GET', f'/element/{element}/computedlabel')

    def click(self, selector):
        self.ask('POST', f'/element/{self.find(selector)[0]}/click')

    def press(self, *names):
        """Presses keys one after the other; 'Shift+Right' holds the first."""
        actions = []
        for name in names:
            held = name.split('+') if len(name) > 1 else [name]
            held = [KEYS.get(key, key) for key in held]
            actions += [{'type': 'keyDown', 'value': key} for key in held]
            actions += [{'type': 'keyUp', 'value': key} for key in reversed(held)]
        self.ask('POST', '/actions', {'actions': [{'type': 'key', 'id': 'keyboard', 'actions': actions}]})

    def log(self, kind):
        return self.ask('POST', '/se/log', {'type': kind})

    def screenshot(self):
        return base64.b64decode(self.ask('GET', '/screenshot'))

    def pdf(self):
        return base64.b64decode(self.ask('POST', '/print', {'background': True}))
