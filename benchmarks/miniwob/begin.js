// Follows MiniWoB++'s core.js on the pages that are served here. `episode` holds: seed; clock, whether the
// page's time limit ends the episode; began, the time of its first start, 0 before that.
((episode) => {
  const cover = core.startEpisode;
  const end = core.endEpisode;
  let started = false;

  const tell = (what) => {
    const said = { page: location.pathname.slice(1), ...what };
    return fetch("/told?" + new URLSearchParams({ what: JSON.stringify(said) }));
  };

  const utterance = () => {
    const said = core.getUtterance();
    return typeof said === "string" ? said : said.utterance;
  };

  const begin = () => {
    Math.seedrandom(episode.seed);
    core.startEpisodeReal();
    // A page that is loaded again shows the same task, and the time that was taken counts on.
    core.ept0 = episode.began || core.ept0;
    clearTimeout(core.EP_TIMER);
    if (episode.clock) {
      const left = core.ept0 + core.EPISODE_MAX_TIME - Date.now();
      core.EP_TIMER = setTimeout(() => core.endEpisode(-1, false, "timed out"), Math.max(0, left));
    } else {
      // The handle of the timer stays: without one the page takes the episode for over.
      core.clearTimer();
      core.hideDisplay();
    }
    // It mirrors clicks beside the task, for whoever watches a program.
    document.getElementById("click-canvas").style.display = "none";
    ready();
  };

  const ready = () => {
    if (!WOB_TASK_READY) {
      setTimeout(ready, 20);
      return;
    }
    tell({ intent: utterance(), began: core.ept0, limit: core.EPISODE_MAX_TIME / 1000 });
  };

  core.startEpisode = () => {
    cover();
    if (!started) {
      started = true;
      setTimeout(begin);
    }
  };

  core.endEpisode = (reward, timeProportional, reason) => {
    const running = core.EP_TIMER !== null;
    end(reward, timeProportional, reason);
    if (running) {
      const seconds = (Date.now() - core.ept0) / 1000;
      tell({ raw: WOB_RAW_REWARD_GLOBAL, reward: WOB_REWARD_GLOBAL, reason: reason ?? "", seconds });
    }
  };
})(EPISODE);
