import gymnasium
from playwright.sync_api import sync_playwright


class Chat:
    """The real one starts a browser of its own, which nobody is to see here."""

    def __init__(self, *args, **kwargs):
        raise AssertionError("a second browser")


class BrowserEnv(gymnasium.Env):
    def __init__(self, task_entrypoint, headless=True, terminate_on_infeasible=True):
        self.task_entrypoint = task_entrypoint
        self.headless = headless
        self.terminate_on_infeasible = terminate_on_infeasible
        self.infeasible_message_received = False

    def reset(self, seed=None):
        self.task = self.task_entrypoint(seed=seed)
        self.browser = (
            sync_playwright()
            .start()
            .chromium.launch(
                headless=self.headless,
                slow_mo=1000,
                args=["--disable-features=OverlayScrollbars"],
                ignore_default_args=["--hide-scrollbars"],
            )
        )
        self.context = self.browser.new_context(viewport={"width": 400, "height": 300})
        self.context.expose_binding(
            "browsergym_page_activated", lambda source: self._activate(source["page"])
        )
        self.context.add_init_script("browsergym_page_activated()")
        self.chat = Chat(headless=True)
        self.page = self.context.new_page()
        goal, info = self.task.setup(page=self.page)
        self.goal_object = goal if isinstance(goal, list) else [{"type": "text", "text": goal}]
        self.chat.add_message(role="assistant", msg="What can I help you with?")
        for one in self.goal_object:
            if one["type"] == "text":
                self.chat.add_message(role="user", msg=one["text"])
            else:
                self.chat.add_message(role="user_image", msg=one["image_url"]["url"])
        return self._get_obs(), {"task_info": info}

    def close(self):
        self.task.teardown()
        self.chat.close()
        self.context.close()
        self.browser.close()

    def _activate(self, page):
        self.page = page

    _activate_page_from_js = _activate

    def _active_page_check(self):
        assert self.page in self.context.pages

    def _task_validate(self):
        return self.task.validate(self.page, self.chat.messages)

    def _get_obs(self):
        raise AssertionError("it would mark the elements of the page")
